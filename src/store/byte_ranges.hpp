// Disjoint stretches of bytes: the changed or new parts of a file. A value.
#pragma once

#include <cstdint>
#include <map>

namespace sv {

class ByteRanges {
 public:
  /// From `begin` to before `end`; joined with adjacent stretches.
  void add(int64_t begin, int64_t end);
  void remove(int64_t begin, int64_t end);
  bool contains(int64_t begin, int64_t end) const;
  /// End by begin.
  const std::map<int64_t, int64_t> &ends() const { return ends_; }

 private:
  std::map<int64_t, int64_t> ends_;
};

}  // namespace sv
