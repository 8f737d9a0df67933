// How one variable of a netCDF-4 file is stored, as HDF5 tells it, and the chunks of a sub-array of it. The index finds
// it; the writers of a file are told it by the file's owner. Values; no HDF5.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "backend/boxes.hpp"
#include "layout/box.hpp"

namespace sv::netcdf4 {

/// HDF5's numbers of the filters that we know.
enum class FilterKind : int { deflate = 1, shuffle = 2, fletcher32 = 3, zstd = 32015 };
constexpr bool is_known(FilterKind kind) {
  return kind == FilterKind::deflate || kind == FilterKind::shuffle || kind == FilterKind::fletcher32 ||
         kind == FilterKind::zstd;
}

struct Filter {
  FilterKind kind;
  int level = 0;  // of deflate and zstd
};

struct Storage {
  enum class Kind {
    contiguous,
    plain,     // in chunks that are stored as they are
    filtered,  // in chunks that pass through filters
    foreign    // in a way that only HDF5 can read: another byte order, other filters
  };
  Kind kind = Kind::foreign;
  Index chunk;  // with all dimensions of the variable
  std::vector<Filter> filters;
  int64_t place = -1;  // of a contiguous one: where it stands, −1 where nothing of it has a place

  bool has_chunks() const { return kind == Kind::plain || kind == Kind::filtered; }
};

/// Where the body of a chunk stands. `mask`: bit i is set where it has not passed through filter i.
struct ChunkPlace {
  int64_t place = -1, bytes = 0;
  uint32_t mask = 0;
};

/// As numbers, one after the other, and back.
std::vector<int64_t> told(const std::vector<Storage> &all);
std::vector<Storage> heard(std::span<const int64_t> numbers);

/// The cells of a sub-array.
Box box_of(const SubArray &part);

/// A chunk that a box of cells meets. `stored`: as it stands in the file; `whole`: as far as the variable goes; `part`:
/// what the box has of it.
struct MetChunk {
  Box stored, whole, part;
};
/// `length`: of the variable.
void for_chunks(const Box &wanted, const Index &length, const Index &chunk,
                const std::function<void(const MetChunk &)> &visit);

}  // namespace sv::netcdf4
