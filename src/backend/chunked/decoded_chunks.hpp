// The chunks that were read last, decoded: a read of parts of a chunk decodes it once. The values of the stores whose
// files have chunks (netcdf4, zarr) have one, and forget it when another rank may have written. Local.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <utility>
#include <vector>

#include "backend/chunked/chunk_boxes.hpp"

namespace sv {

class DecodedChunks {
 public:
  /// The `bytes` bytes of a chunk. load(vector) gives the vector so many, and is called where they are not here; false:
  /// the chunk was never written, and nothing is returned.
  template <class Load>
  std::span<const std::byte> get(const ChunkKey &key, int64_t bytes, Load load) {
    const auto known = std::find_if(chunks_.begin(), chunks_.end(), [&](const Chunk &each) { return each.key == key; });
    if (known != chunks_.end()) {
      chunks_.splice(chunks_.begin(), chunks_, known);
      return chunks_.front().values;
    }
    std::vector<std::byte> values;
    while (!chunks_.empty() && bytes_ + bytes > most_bytes) {
      values = std::move(chunks_.back().values);
      bytes_ -= std::ssize(values);
      chunks_.pop_back();
    }
    if (!load(values)) return {};
    bytes_ += std::ssize(values);
    chunks_.push_front({key, std::move(values)});
    return chunks_.front().values;
  }
  void forget() {
    chunks_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr int64_t most_bytes = int64_t{64} << 20;
  struct Chunk {
    ChunkKey key;
    std::vector<std::byte> values;
  };
  std::list<Chunk> chunks_;  // the latest first
  int64_t bytes_ = 0;
};

}  // namespace sv
