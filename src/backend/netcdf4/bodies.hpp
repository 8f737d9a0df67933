// What one rank has of the chunks of a file that is written: those that are not complete yet, bodies that have no place
// in the file yet, and the places of those that it has written. A store has one Bodies; it reads and writes no file
// itself. Local.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "backend/netcdf4/storage.hpp"

namespace sv::netcdf4 {

/// A chunk of a variable, by its first cell.
struct ChunkKey {
  int variable;
  Index cell;
  bool operator==(const ChunkKey &other) const { return variable == other.variable && cell == other.cell; }
  bool operator<(const ChunkKey &other) const {
    if (variable != other.variable) return variable < other.variable;
    return std::lexicographical_compare(cell.v.begin(), cell.v.begin() + cell.n, other.cell.v.begin(),
                                        other.cell.v.begin() + other.cell.n);
  }
};

/// Ready to be written.
struct Body {
  ChunkKey key;
  std::vector<std::byte> bytes;
};

/// Of a chunk of which parts have come; the rest has what was in the file, or fill values.
struct Unfinished {
  std::vector<std::byte> values;  // of the whole chunk, in its own order
  int64_t elements = 0;           // that have come since it was last made a body of
};

struct Bodies {
  std::map<ChunkKey, Unfinished> unfinished;
  int64_t unfinished_bytes = 0;
  std::vector<Body> waiting;
  std::map<ChunkKey, size_t> waiting_at;      // where in `waiting`
  std::vector<std::vector<std::byte>> spare;  // of bodies that are written: fresh memory is dear
  std::map<ChunkKey, ChunkPlace> places;
};

}  // namespace sv::netcdf4
