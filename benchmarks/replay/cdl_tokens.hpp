// The words of CDL, netCDF's text form: "The NetCDF Users Guide", CDL; and the output of ncdump -h.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sv_bench {

struct CdlToken {
  enum class Kind { word, text, letter, symbol, end };
  Kind kind;
  std::string text;      // without quotes and escapes
  int line;              // from 1
  int64_t records = -1;  // from a comment "(12 currently)" before the next word; -1: none
};

/// Local. `origin` is named in errors. Throws std::invalid_argument.
std::vector<CdlToken> cdl_tokens(const std::string &text, const std::string &origin);

/// The error of a line.
std::invalid_argument cdl_error(const std::string &origin, int line, const std::string &cause);

}  // namespace sv_bench
