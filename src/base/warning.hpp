// Tells the user, on stderr, what is worth knowing and no error. Where several ranks know the same, one of them calls
// it.
#pragma once

#include <string>

namespace sv {

/// Local; for one rank of those that know the same. A line on stderr.
void warn(const std::string &text);

}  // namespace sv
