// Whether what is read would be lost by writing under another name.
#pragma once

#include <string>

namespace sv_tools {

/// Local. Throws std::runtime_error where writing `out` would remove or replace `in`, a file or a set of files: under
/// whatever name, link or hard link, and also where `in` has a name that is used while `out` is written.
void check_apart(const std::string &in, const std::string &out);

}  // namespace sv_tools
