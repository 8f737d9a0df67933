// Sets of files.
#pragma once

#include <cstdio>
#include <string>

namespace svtest {

/// Local.
inline void remove_pieces(const std::string &path) {
  for (int piece = 0;; ++piece) {
    char name[32];
    std::snprintf(name, sizeof name, ".%04d", piece);
    std::remove((path + name + ".complete").c_str());
    if (std::remove((path + name).c_str()) != 0) return;
  }
}

}  // namespace svtest
