// What the user should know, and what is no error.
#pragma once

#include <string>

namespace sv {

/// Local; for one rank of those that know the same. A line on stderr.
void warn(const std::string &text);

}  // namespace sv
