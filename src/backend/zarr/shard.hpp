// A shard: a file that holds many chunks, and an index of where each stands (zarr-specs, the codec
// "sharding_indexed"). The values of a store (values.hpp) write and read shards by it. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "backend/zarr/array.hpp"
#include "store/objects.hpp"

namespace sv::zarr {

/// Where the body of a shard's chunk stands.
struct ChunkPlace {
  uint64_t offset_bytes = UINT64_MAX, bytes = UINT64_MAX;  // of a chunk that is not there
  bool operator==(const ChunkPlace &) const = default;
};

/// The index of a shard that is to be written, by the numbers of its chunks.
class ShardIndex {
 public:
  explicit ShardIndex(int64_t chunks) : places_(static_cast<size_t>(chunks)) {}
  void set(int64_t number, ChunkPlace place) { places_[static_cast<size_t>(number)] = place; }
  /// As it stands in a file that array_of has described.
  std::vector<std::byte> encoded() const;

 private:
  std::vector<ChunkPlace> places_;
};

/// The index of a shard that is read: a part of it at a time, since a file on the disk may be much smaller than it
/// says.
class StoredIndex {
 public:
  /// Error(format) where it is none of this array.
  StoredIndex(Object &file, const Array &array, StoreCounters &counters);
  /// Nothing where the chunk is not there. Error(format) where it cannot be in this file, which must be the same.
  std::optional<ChunkPlace> find(int64_t number, Object &file, StoreCounters &counters);

 private:
  int64_t read_part(int64_t number, Object &file, StoreCounters &counters);

  int64_t chunks_, file_bytes_, offset_bytes_ = 0;  // the last one of the index
  bool is_big_;
  std::vector<std::byte> part_;  // of it, from the chunk `first_` on
  int64_t first_ = 0;
};

/// The bytes there. Error(format) if the file ends before.
std::vector<std::byte> body_at(Object &file, const ChunkPlace &place, StoreCounters &counters);

/// Bodies of chunks that go into one shard.
struct Shard {
  std::map<int64_t, std::vector<std::byte>> bodies;  // by number
  int64_t most = 0;                                  // chunks that it can have: those that begin in the array
};

}  // namespace sv::zarr
