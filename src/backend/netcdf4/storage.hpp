// How one variable of a netCDF-4 file is stored, according to HDF5. The index finds it; the file's owner sends it to
// the writers. Values; no HDF5.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backend/chunked/chunk_boxes.hpp"
#include "layout/box.hpp"

namespace sv::netcdf4 {

/// HDF5's numbers of the filters that we know.
enum class FilterKind : int { deflate = 1, shuffle = 2, fletcher32 = 3, zfp = 32013, zstd = 32015, sz3 = 32024 };
/// By a codec that is built in.
constexpr bool is_known(FilterKind kind) {
  return kind == FilterKind::deflate || kind == FilterKind::shuffle || kind == FilterKind::fletcher32 ||
         kind == FilterKind::zstd;
}
/// It changes values, within an error bound (filter_plug_in.hpp).
constexpr bool is_plug_in(FilterKind kind) { return kind == FilterKind::sz3 || kind == FilterKind::zfp; }

struct Filter {
  FilterKind kind;
  int level = 0;                       // of deflate and zstd
  std::vector<unsigned> parameters{};  // of a plug-in
};

struct Storage {
  enum class Kind {
    contiguous,
    plain,     // in chunks that are stored as they are
    filtered,  // in chunks that pass through filters, or whose values have another byte order
    foreign    // in a way that only HDF5 can read: other filters, or in one piece in another byte order
  };
  Kind kind = Kind::foreign;
  Index chunk;  // with all dimensions of the variable
  std::vector<Filter> filters;
  bool is_swapped = false;  // in the byte order that is not native
  int64_t place = -1;       // of a contiguous one: where it stands, −1 where nothing of it has a place

  bool has_chunks() const { return kind == Kind::plain || kind == Kind::filtered; }
  /// Which of the filters is a plug-in; −1: none.
  int plug_in() const {
    for (size_t f = 0; f < filters.size(); ++f)
      if (is_plug_in(filters[f].kind)) return static_cast<int>(f);
    return -1;
  }
};

/// Where the body of a chunk stands. `mask`: bit i is set where it has not passed through filter i.
struct ChunkPlace {
  int64_t place = -1, bytes = 0;
  uint32_t mask = 0;
};

/// As numbers, one after the other, and back.
std::vector<int64_t> encode(const std::vector<Storage> &all);
std::vector<Storage> decode(std::span<const int64_t> numbers);

/// Bytes of metadata that the chunks of a file will need, roughly: HDF5's trees of chunks (version 1) have nodes of 64.
/// None if no records are expected.
int64_t index_bytes(const Schema &schema, const std::vector<Storage> &storages, int64_t expected_records);

}  // namespace sv::netcdf4
