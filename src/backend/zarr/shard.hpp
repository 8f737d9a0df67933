// A shard: a file that holds many chunks, and an index of where each stands (zarr-specs, the codec
// "sharding_indexed"). The values of a store (values.hpp) write and read shards by it. Local.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "backend/zarr/array.hpp"
#include "store/positional_file.hpp"

namespace sv::zarr {

/// Where the bodies of a shard's chunks stand, by their numbers.
class ShardIndex {
 public:
  struct Place {
    uint64_t offset_bytes = UINT64_MAX, bytes = UINT64_MAX;  // of a chunk that is not there
    bool operator==(const Place &) const = default;
  };
  explicit ShardIndex(int64_t chunks) : places_(static_cast<size_t>(chunks)) {}

  /// Of a file. Error(format) where it is none of this array; takes no more memory than the file has bytes.
  static ShardIndex read(PositionalFile &file, const Array &array, StoreCounters &counters);
  /// As it stands in a file that array_of has described.
  std::vector<std::byte> encoded() const;

  /// Nothing where it is not there. Error(format) where it cannot be in a file of so many bytes.
  std::optional<Place> find(int64_t number, int64_t file_bytes) const;
  void set(int64_t number, Place place) { places_[static_cast<size_t>(number)] = place; }

 private:
  std::vector<Place> places_;
};

/// What stands there. Error(format) where the file ends before.
std::vector<std::byte> body_at(PositionalFile &file, const ShardIndex::Place &place, StoreCounters &counters);

/// Bodies of chunks that go into one shard.
struct Shard {
  std::map<int64_t, std::vector<std::byte>> bodies;  // by number
  int64_t most = 0;                                  // chunks that it can have: those that begin in the array
};

}  // namespace sv::zarr
