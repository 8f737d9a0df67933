// Stretches of bytes, apart from each other: which of a file's have changed, or are new. A value.
#pragma once

#include <cstdint>
#include <map>

namespace sv {

class ByteRanges {
 public:
  /// From `begin` to before `end`; joined with what it touches.
  void add(int64_t begin, int64_t end);
  void remove(int64_t begin, int64_t end);
  bool contains(int64_t begin, int64_t end) const;
  /// End by begin.
  const std::map<int64_t, int64_t> &ends() const { return ends_; }

 private:
  std::map<int64_t, int64_t> ends_;
};

}  // namespace sv
