// Which library deflates where nobody names one. Values, without the libraries: the prediction asks, too.
#pragma once

namespace sv {

struct DeflateLibrary {
  const char *name;
  int best_level;  // above it, auto takes the next one, which then makes smaller streams
};

/// In the order in which auto asks for them.
constexpr DeflateLibrary deflate_libraries[] = {{"isal", 2}, {"libdeflate", 9}, {"zlib", 9}};

}  // namespace sv
