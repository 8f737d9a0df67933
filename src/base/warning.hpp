// Prints warnings on stderr. If several ranks know the same warning, one of them calls it.
#pragma once

#include <string>

namespace sv {

/// Local; for one of the ranks that know the warning. Prints a line on stderr.
void warn(const std::string &text);

}  // namespace sv
