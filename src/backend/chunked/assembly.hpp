// Chunks put together from the parts that a rank is given, and taken apart for its reads, of the stores whose files
// have chunks (netcdf4, zarr). The values of a store have one; they encode, write and read whole chunks. Local: a chunk
// has one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "backend/chunked/chunk_boxes.hpp"
#include "backend/chunked/decoded_chunks.hpp"

namespace sv {

/// An array in memory that has cells of a variable.
struct Region {
  int variable;
  Box box;
  std::byte *first;
  std::span<const std::byte> fill;  // one element, in native order

  int64_t element_bytes() const { return std::ssize(fill); }
  std::byte *at(int64_t element) const { return first + element * element_bytes(); }
};
/// Gives these cells of it the fill value.
void fill_cells(const Region &region, const Box &cells);

/// What a store does with whole chunks, whose values are in native order and in the chunk's own order.
class WholeChunks {
 public:
  /// Where the values of a chunk go.
  using Room = std::function<std::span<std::byte>()>;

  virtual ~WholeChunks() = default;
  /// Takes a chunk, whose values stay until encode().
  virtual void take(const ChunkKey &key, std::span<const std::byte> values) = 0;
  virtual void encode() {}
  /// Everything that has come is encoded, also of chunks that are not complete.
  virtual void complete() = 0;
  /// The latest values of a chunk, put where `room` says, which is called once the chunk is known to have so many.
  /// False, and nothing is changed, where the chunk was never written.
  virtual bool load(const ChunkKey &key, const Room &room) = 0;
  /// What the store itself holds of chunks that it cannot write yet.
  virtual int64_t held_bytes() const { return 0; }
};

class ChunkAssembly {
 public:
  /// `chunks` outlives it.
  explicit ChunkAssembly(WholeChunks &chunks) : chunks_(chunks) {}

  /// The part of `region` that is in a chunk. A chunk that the region has as a whole is not copied: its values stay
  /// until encode() of the store. Memory is bounded: where many chunks are open, they are completed and closed.
  void write(const Region &region, const ChunkOverlap &met);
  void read(const Region &region, const ChunkOverlap &met);
  /// Whether parts of the chunk have come, and it is still open.
  bool has(const ChunkKey &key) const { return open_.count(key) > 0; }
  /// Gives the values that have come of open chunks to the store, which encodes them; the chunks stay open.
  void complete();
  /// Drops the decoded chunks, which may have been rewritten since.
  void forget() { decoded_.forget(); }

 private:
  struct Open {
    std::vector<std::byte> values;  // of the whole chunk
    int64_t elements = 0;           // that have come
    bool is_new = false;            // values that the store does not have
  };
  Open &open(const ChunkKey &key, const ChunkOverlap &met, const Region &region);
  bool load(const ChunkKey &key, int64_t bytes, std::vector<std::byte> &values);

  WholeChunks &chunks_;
  std::map<ChunkKey, Open> open_;
  int64_t open_bytes_ = 0;
  std::vector<std::vector<std::byte>> spare_;  // of closed chunks: fresh memory is dear
  DecodedChunks decoded_;
};

}  // namespace sv
