// Compares two netCDF files: byte by byte (the classic formats), and by the values that netCDF-C reads.
#pragma once

#include <string>

namespace svtest {

/// What differs, in words; empty: nothing. Two files of a classic format: all bytes of the header but the places of
/// variables, and all bytes of each variable, with its padding, at its place; `ours` has no gap that holds anything but
/// zeros, and ends where its last variable does.
std::string different_bytes(const std::string &ours, const std::string &theirs, bool redefined);

/// Dimensions, variables, attributes, values: by number, name, type, and every value. Any formats.
std::string different_values(const std::string &ours, const std::string &theirs);

}  // namespace svtest
