// Names of files: of the pieces of a set, and the check that writing under one name does not destroy the input.
#pragma once

#include <string>
#include <vector>

namespace sv_tools {

/// Of the files in its directory, those that may be pieces of a set: "ocean.nc.0003" of "ocean.nc". In order.
std::vector<std::string> found_pieces(const std::string &set);

/// Local. Throws std::runtime_error if writing `out` would remove or replace `in`, a file or a set of files: under any
/// name, link or hard link, and also if `in` has a name that is used while `out` is written.
void check_apart(const std::string &in, const std::string &out);
/// The same for these files.
void check_apart(const std::vector<std::string> &files, const std::string &out);

/// Local. Throws std::runtime_error where something has the name `out`, if only a link that leads nowhere.
void check_free(const std::string &out);

}  // namespace sv_tools
