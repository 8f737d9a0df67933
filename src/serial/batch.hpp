// Values that were put and are not in the file yet, each with its file position: a serial file gathers them in one, and
// hands it over when it is full (serial/writing.hpp). Later puts win.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "serial/blocks.hpp"
#include "store/positional_file.hpp"

namespace sv {

class Batch {
 public:
  struct Piece {
    int64_t offset_bytes;  // in the file
    std::byte *bytes;
    int64_t length;
  };

  Batch() = default;
  Batch(Batch &&other) noexcept { swap(other); }
  Batch &operator=(Batch &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Batch() { Blocks::own().give_back(std::move(blocks_)); }

  /// Where the caller puts `length` (<= block_bytes) bytes that belong at this place of the file.
  std::byte *room(int64_t offset_bytes, int64_t length);
  int64_t bytes() const { return bytes_; }
  bool is_empty() const { return pieces_.empty(); }
  bool is_full() const { return bytes_ >= block_bytes || pieces_.size() >= most_pieces; }
  const std::vector<Piece> &pieces() const { return pieces_; }

  /// Those of another one, which were put later, too.
  void absorb(Batch &&other);
  /// One call for each stretch of the file, in ascending order where no piece overlaps another.
  void write_to(PositionalFile &file, StoreCounters &counters);
  /// Gives every piece other places: `split` calls its second argument for each part of the piece.
  using Take = std::function<void(const Piece &)>;
  void move_pieces(const std::function<void(const Piece &, const Take &)> &split);

 private:
  static constexpr size_t most_pieces = 16384;
  /// Few bytes in many pieces close to each other, as of a put with strides, are patched into the file's bytes.
  struct Group {
    size_t next;         // the first piece that is not in it
    int64_t begin, end;  // in the file
    bool is_patch;
  };
  Group group_from(size_t first) const;
  void patch(size_t first, const Group &group, PositionalFile &file, StoreCounters &counters) const;
  void swap(Batch &other) noexcept;
  void sort();

  std::vector<Block> blocks_;
  int64_t left_ = 0;  // in the last block
  std::vector<Piece> pieces_;
  int64_t bytes_ = 0;
};

}  // namespace sv
