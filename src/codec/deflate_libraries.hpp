// The choice of the deflate library where the user names none. It contains values only, without the libraries, because
// the prediction uses it too.
#pragma once

namespace sv {

struct DeflateLibrary {
  const char *name;
  int best_level;  // above it, auto takes the next one, which then makes smaller streams
};

/// In the order in which auto asks for them.
constexpr DeflateLibrary deflate_libraries[] = {{"isal", 2}, {"libdeflate", 9}, {"zlib", 9}};

}  // namespace sv
