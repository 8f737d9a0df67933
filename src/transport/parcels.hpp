// Numbered pieces of memory one after the other, as they travel with the ballots of a gate between nodes: payloads of
// ranks for all others, by rank, and data of nodes for the rank of a root action, by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sv {

class PackedPieces {
 public:
  /// Appends a piece; an empty one is left out.
  void add(int32_t number, std::span<const std::byte> piece);
  /// Appends the pieces of others.
  void add(std::span<const std::byte> pieces) { bytes_.insert(bytes_.end(), pieces.begin(), pieces.end()); }
  void clear() { bytes_.clear(); }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// The most bytes of so many pieces with so much in them.
  static constexpr int64_t most_bytes(int64_t pieces, int64_t content) {
    return pieces * static_cast<int64_t>(sizeof(Head)) + content;
  }

  /// Calls visit(number, piece) for each.
  template <class Visit>
  void for_each(Visit &&visit) const {
    for (size_t at = 0; at < bytes_.size();) {
      Head head;
      std::memcpy(&head, bytes_.data() + at, sizeof head);
      visit(head.number, std::span(bytes_).subspan(at + sizeof head, static_cast<size_t>(head.bytes)));
      at += sizeof head + static_cast<size_t>(head.bytes);
    }
  }

 private:
  struct Head {
    int32_t number, bytes;
  };
  std::vector<std::byte> bytes_;
};

}  // namespace sv
