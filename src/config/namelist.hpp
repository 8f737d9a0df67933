// Reads Fortran namelist files as FMS's input.nml is: groups of "key = values". Pure text; it knows nothing of their
// meaning (config/mpp_io.hpp does).
#pragma once

#include <string>
#include <vector>

namespace sv {

struct NamelistEntry {
  std::string key;                  // in small letters
  std::vector<std::string> values;  // as they stand, without quotes; "2*4" is repeated
  int line;                         // of the key, from 1
};

struct NamelistGroup {
  std::string name;  // in small letters, without '&'
  int line;
  std::vector<NamelistEntry> entries;
};

/// Whether the first character that is neither blank nor in a comment is '&'.
bool is_namelist(const std::string &text);

/// All groups, in their order. A group begins with '&' and ends with '/' or '&end'; '!' and '#' open comments; blanks,
/// commas and line ends separate values; text between groups does not count. Throws Error(config), with `path` and the
/// line, for a group or a string without end, and for a value without a key.
std::vector<NamelistGroup> parse_namelist(const std::string &text, const std::string &path);

}  // namespace sv
