#include "serial/batch.hpp"

#include <algorithm>
#include <utility>

namespace sv {

std::byte *Batch::room(int64_t offset_bytes, int64_t length) {
  if (left_ < length) {
    blocks_.push_back(Blocks::own().take());
    left_ = block_bytes;
  }
  std::byte *const at = blocks_.back().get() + (block_bytes - left_);
  left_ -= length;
  bytes_ += length;
  if (!pieces_.empty()) {
    Piece &last = pieces_.back();
    if (last.offset_bytes + last.length == offset_bytes && last.bytes + last.length == at) {
      last.length += length;
      return at;
    }
  }
  pieces_.push_back({offset_bytes, at, length});
  return at;
}

void Batch::absorb(Batch other) {
  for (Block &block : other.blocks_) blocks_.push_back(std::move(block));
  pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
  bytes_ += other.bytes_;
  left_ = 0;
  other.blocks_.clear();
}

/// By place; of pieces with the same place the last one stays. Where others overlap, all stay in the order in which
/// they were put, since the later one wins.
void Batch::sort() {
  const auto by_place = [](const Piece &one, const Piece &other) { return one.offset_bytes < other.offset_bytes; };
  std::vector<Piece> sorted = pieces_;
  std::stable_sort(sorted.begin(), sorted.end(), by_place);
  std::vector<Piece> kept;
  for (const Piece &piece : sorted) {
    const bool replaces =
        !kept.empty() && kept.back().offset_bytes == piece.offset_bytes && kept.back().length <= piece.length;
    if (replaces) kept.pop_back();
    if (!kept.empty() && kept.back().offset_bytes + kept.back().length > piece.offset_bytes) return;
    kept.push_back(piece);
  }
  pieces_ = std::move(kept);
}

void Batch::write_to(PositionalFile &file, StoreCounters &counters) {
  sort();
  std::vector<iovec> parts;
  for (size_t first = 0, next = 0; first < pieces_.size(); first = next) {
    int64_t end = pieces_[first].offset_bytes;
    parts.clear();
    for (; next < pieces_.size() && pieces_[next].offset_bytes == end; ++next) {
      parts.push_back({pieces_[next].bytes, static_cast<size_t>(pieces_[next].length)});
      end += pieces_[next].length;
    }
    file.write(pieces_[first].offset_bytes, parts, counters);
  }
}

void Batch::move_pieces(const std::function<void(const Piece &, const Take &)> &split) {
  std::vector<Piece> moved;
  for (const Piece &piece : pieces_) split(piece, [&](const Piece &part) { moved.push_back(part); });
  pieces_ = std::move(moved);
}

void Batch::swap(Batch &other) noexcept {
  std::swap(blocks_, other.blocks_);
  std::swap(left_, other.left_);
  std::swap(pieces_, other.pieces_);
  std::swap(bytes_, other.bytes_);
}

}  // namespace sv
