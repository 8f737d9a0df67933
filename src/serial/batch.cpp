#include "serial/batch.hpp"

#include <algorithm>
#include <cstring>
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

/// Without memory, both stay as they are.
void Batch::absorb(Batch &&other) {
  const auto make_room = [](auto &list, size_t more) {
    if (list.capacity() < list.size() + more) list.reserve(2 * (list.size() + more));
  };
  make_room(blocks_, other.blocks_.size());
  make_room(pieces_, other.pieces_.size());
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
    const Group group = group_from(first);
    if (group.is_patch) {
      patch(first, group, file, counters);
      next = group.next;
      continue;
    }
    next = first;
    int64_t end = pieces_[first].offset_bytes;
    parts.clear();
    for (; next < pieces_.size() && pieces_[next].offset_bytes == end; ++next) {
      parts.push_back({pieces_[next].bytes, static_cast<size_t>(pieces_[next].length)});
      end += pieces_[next].length;
    }
    file.write(pieces_[first].offset_bytes, parts, counters);
  }
}

Batch::Group Batch::group_from(size_t first) const {
  Group group{first, pieces_[first].offset_bytes, pieces_[first].offset_bytes, false};
  int64_t bytes = 0;
  bool is_run = true;  // without gaps, which one call writes
  for (; group.next < pieces_.size(); ++group.next) {
    const Piece &piece = pieces_[group.next];
    const int64_t begin = std::min(group.begin, piece.offset_bytes);
    const int64_t end = std::max(group.end, piece.offset_bytes + piece.length);
    if (end - begin > block_bytes) break;
    is_run = is_run && piece.offset_bytes == group.end;
    group.begin = begin;
    group.end = end;
    bytes += piece.length;
  }
  const auto pieces = static_cast<int64_t>(group.next - first);
  group.is_patch = !is_run && pieces >= 16 && bytes / pieces < 512 && (group.end - group.begin) / pieces < 4096;
  return group;
}

void Batch::patch(size_t first, const Group &group, PositionalFile &file, StoreCounters &counters) const {
  std::vector<std::byte> room(static_cast<size_t>(group.end - group.begin));  // zeros behind the end of the file
  file.read(group.begin, room, counters);
  for (size_t p = first; p < group.next; ++p)
    std::memcpy(room.data() + (pieces_[p].offset_bytes - group.begin), pieces_[p].bytes,
                static_cast<size_t>(pieces_[p].length));
  file.write(group.begin, room, counters);
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
