// The header of a file from its CDL text.
#pragma once

#include <string>

#include "header.hpp"

namespace sv_bench {

/// Whether the text begins as CDL does, after comments.
bool looks_like_cdl(const std::string &text);

/// Dimensions, variables, attributes and (if a comment of ncdump states it) the number of records of "netcdf NAME
/// {...}"; data are not looked at, and of virtual attributes (ncdump -s)
/// only chunks and compression. Local. Throws std::invalid_argument,
/// with `origin` and the line, for other text than CDL, and for groups, user-defined types, strings and more than
/// one unlimited dimension.
Header header_of_cdl(const std::string &text, const std::string &origin);

}  // namespace sv_bench
