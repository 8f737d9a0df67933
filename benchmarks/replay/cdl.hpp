// The header of a file from its CDL text.
#pragma once

#include <string>

#include "header.hpp"

namespace sv_bench {

/// Whether the text begins as CDL does, after comments.
bool looks_like_cdl(const std::string &text);

/// Dimensions, variables, attributes and (where a comment of ncdump tells it) the number of records of "netcdf NAME
/// {...}"; data are not looked at, and of virtual attributes (ncdump -s)
/// only those that tell chunks and compression. Local. Throws std::invalid_argument,
/// with `origin` and the line, for what is no CDL, and for groups, types of the user's, strings and more than one
/// unlimited dimension.
Header header_of_cdl(const std::string &text, const std::string &origin);

}  // namespace sv_bench
