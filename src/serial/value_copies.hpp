// Copies of values that were put and that a store will write: slabs, each with its memory. A serial file fills one, and
// hands it to the thread that writes (serial/store_thread.hpp). The memory is used again, since fresh pages cost more
// than the copy into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "serial/blocks.hpp"
#include "store/slab.hpp"

namespace sv {

class ValueCopies {
 public:
  ValueCopies() = default;
  ValueCopies(ValueCopies &&other) noexcept = default;
  ValueCopies &operator=(ValueCopies &&other) noexcept = default;
  ~ValueCopies();

  /// Where the caller puts the values of the slab. Throws bad_alloc.
  std::byte *add(const Slab &slab, int64_t bytes);
  /// Makes memory for as many values again, if none is free: called by the thread that writes, so that the program's
  /// next put needs no fresh pages. Throws bad_alloc.
  void prepare_next() const;
  std::span<const SlabPart> parts() const { return parts_; }
  /// Of the values.
  int64_t bytes() const { return bytes_; }
  /// Of the values, and of the slabs, which are larger than few values.
  int64_t memory_bytes() const { return bytes_ + static_cast<int64_t>(parts_.capacity() * sizeof(SlabPart)); }
  bool is_empty() const { return parts_.empty(); }

  /// Memory of one large part.
  struct Room {
    std::shared_ptr<std::byte[]> first;
    int64_t length;
  };

 private:
  std::byte *room(int64_t bytes);

  std::vector<SlabPart> parts_;
  std::vector<Block> blocks_;  // of small parts
  int64_t left_ = 0;           // in the last block
  std::vector<Room> rooms_;
  int64_t bytes_ = 0;
};

}  // namespace sv
