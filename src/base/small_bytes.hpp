// Bytes of any number, a value like a vector of them. Few stand in it: the values of most attributes need no allocation
// of their own, of which a header of a thousand variables would take thousands.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sv {

class SmallBytes {
 public:
  SmallBytes() = default;
  explicit SmallBytes(size_t size) { resize(size); }
  explicit SmallBytes(std::span<const std::byte> bytes) { assign(bytes); }

  const std::byte *data() const { return many_.empty() ? few_.data() : many_.data(); }
  std::byte *data() { return many_.empty() ? few_.data() : many_.data(); }
  size_t size() const { return many_.empty() ? few_bytes_ : many_.size(); }
  bool empty() const { return size() == 0; }
  const std::byte *begin() const { return data(); }
  const std::byte *end() const { return data() + size(); }
  std::byte *begin() { return data(); }
  std::byte *end() { return data() + size(); }

  /// Those that stay keep their values; new ones are zeros.
  void resize(size_t size) {
    const size_t before = this->size();
    if (size > few_.size() || !many_.empty()) {
      if (many_.empty()) many_.assign(begin(), end());
      many_.resize(size);
      few_bytes_ = 0;
    } else {
      if (size > before) std::fill(few_.begin() + before, few_.begin() + size, std::byte{0});
      few_bytes_ = static_cast<uint8_t>(size);
    }
  }
  void assign(std::span<const std::byte> bytes) {
    if (bytes.size() > few_.size()) {
      many_.assign(bytes.begin(), bytes.end());
      few_bytes_ = 0;
    } else {
      many_.clear();
      std::copy(bytes.begin(), bytes.end(), few_.begin());
      few_bytes_ = static_cast<uint8_t>(bytes.size());
    }
  }
  void append(std::span<const std::byte> bytes) {
    const size_t before = size();
    resize(before + bytes.size());
    std::copy(bytes.begin(), bytes.end(), begin() + before);
  }
  bool operator==(const SmallBytes &other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::vector<std::byte> many_;  // empty: few_
  std::array<std::byte, 39> few_{};
  uint8_t few_bytes_ = 0;
};

}  // namespace sv
