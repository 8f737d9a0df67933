// Random boxes and shares of them, and the plainest way to walk their cells.
#pragma once

#include <algorithm>
#include <random>

#include "plan/plan.hpp"

namespace sv {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int64_t roll(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }
  Box box(int dims) {
    Box made;
    for (int d = 0; d < dims; ++d) {
      made.start.push(roll(0, 3));
      made.count.push(roll(1, 6));
    }
    return made;
  }
  /// A box of `whole`, perhaps empty; often as wide as that, so that rows can be joined.
  Box part_of(const Box &whole) {
    Box made = whole;
    for (int d = 0; d < whole.dims(); ++d) {
      if (roll(0, 1) == 0) continue;
      const int64_t a = roll(0, whole.count[d]), b = roll(0, whole.count[d]);
      made.start[d] = whole.start[d] + std::min(a, b);
      made.count[d] = std::max(a, b) - std::min(a, b);
    }
    return made;
  }
  Share share_of(const Box &box) {
    const int64_t a = roll(0, box.elements()), b = roll(0, box.elements());
    return {box, std::min(a, b), std::max(a, b)};
  }

 private:
  std::mt19937 engine_;
};

inline bool contains(const Box &box, const Index &cell) {
  for (int d = 0; d < box.dims(); ++d)
    if (cell[d] < box.start[d] || cell[d] >= box.start[d] + box.count[d]) return false;
  return true;
}

/// Calls visit(cell, position in the share) for the cells of `share`, in its order.
template <class Visit>
void for_cells(const Share &share, Visit &&visit) {
  for (int64_t at = share.first; at < share.last; ++at) visit(cell_at(share.box, at), at - share.first);
}

}  // namespace sv
