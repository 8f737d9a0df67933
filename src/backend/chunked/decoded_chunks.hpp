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
  /// The `bytes` bytes of a chunk, which stay until the next call. load(vector) gives the vector so many, and is called
  /// where they are not here; false: the chunk was never written, and nothing is returned. `keeps`: more of it may be
  /// wanted later.
  template <class Load>
  std::span<const std::byte> get(const ChunkKey &key, int64_t bytes, bool keeps, Load load) {
    const auto known = std::find_if(chunks_.begin(), chunks_.end(), [&](const Chunk &each) { return each.key == key; });
    if (known != chunks_.end()) {
      chunks_.splice(chunks_.begin(), chunks_, known);
      return chunks_.front().values;
    }
    if (!keeps) return load(passing_) ? std::span<const std::byte>(passing_) : std::span<const std::byte>();
    std::vector<std::byte> values;
    while (!chunks_.empty() && bytes_ + bytes > most_bytes_with(key)) {
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
  static constexpr int64_t most_bytes = int64_t{64} << 20, most_older_bytes = int64_t{8} << 20;
  struct Chunk {
    ChunkKey key;
    std::vector<std::byte> values;
  };
  /// The oldest chunk gives its memory early where it is of another variable or record: fresh memory is dear.
  int64_t most_bytes_with(const ChunkKey &key) const {
    const ChunkKey &oldest = chunks_.back().key;
    const bool is_near = oldest.variable == key.variable && (key.cell.n == 0 || oldest.cell[0] == key.cell[0]);
    return is_near ? most_bytes : most_older_bytes;
  }
  std::list<Chunk> chunks_;         // the latest first
  std::vector<std::byte> passing_;  // the last one that was not kept
  int64_t bytes_ = 0;
};

}  // namespace sv
