// The input of a replay: the header of a user's file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/schema.hpp"

namespace sv_bench {

/// How netCDF-4 stores a variable.
struct Storage {
  std::vector<int64_t> chunks;  // of each of its dimensions, cells or records; empty: none
  int deflate = 0;              // level; 0: not compressed
  bool shuffle = false;
};

struct Header {
  Schema schema;
  std::vector<Storage> storage;  // of each variable
};

/// Of a netCDF file, through the library, or of CDL text. Collective over all ranks. Throws std::invalid_argument, on
/// all ranks alike: no such file, neither of the two, or something that cannot be replayed.
Header header_of_file(const std::string &path);

}  // namespace sv_bench
