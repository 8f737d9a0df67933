// Which stretches of a file were written, joined where they touch or overlap. A value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace sv {

class WrittenRanges {
 public:
  static constexpr size_t most = 256;

  /// Bytes at or beyond `limit_bytes` of the file do not count.
  explicit WrittenRanges(int64_t limit_bytes = INT64_MAX) : limit_bytes_(limit_bytes) {}

  void add(int64_t offset_bytes, int64_t bytes);
  /// End by begin, in bytes of the file; disjoint.
  const std::map<int64_t, int64_t> &ends() const { return ends_; }
  /// Whether there were more than fit.
  bool truncated() const { return truncated_; }

 private:
  int64_t limit_bytes_;
  std::map<int64_t, int64_t> ends_;
  bool truncated_ = false;
};

}  // namespace sv
