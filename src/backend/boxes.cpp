#include "backend/boxes.hpp"

#include <algorithm>

namespace sv {

namespace {

/// How many elements one step in dimension `d` of `count` is.
int64_t elements_below(const Index &count, int d) {
  int64_t elements = 1;
  for (int e = d + 1; e < count.n; ++e) elements *= count[e];
  return elements;
}

SubArray made(const Slab &slab, bool has_records, int64_t at, int d, int64_t steps) {
  const Index cell = cell_at(slab.box, at);
  SubArray part{{}, {}, at - slab.first, steps * elements_below(slab.box.count, d)};
  if (has_records) {
    part.start.push_back(static_cast<size_t>(slab.record));
    part.count.push_back(1);
  }
  for (int e = 0; e < slab.box.dims(); ++e) {
    part.start.push_back(static_cast<size_t>(e <= d ? cell[e] : slab.box.start[e]));
    part.count.push_back(static_cast<size_t>(e < d ? 1 : e == d ? steps : slab.box.count[e]));
  }
  return part;
}

}  // namespace

std::vector<SubArray> sub_arrays(const Slab &slab, bool has_records) {
  std::vector<SubArray> parts;
  const Index &count = slab.box.count;
  if (slab.first < slab.last && count.n == 0) parts.push_back(made(slab, has_records, 0, -1, 1));
  // Each step takes the largest box that begins here: as many whole steps of the slowest dimension as are left of it.
  for (int64_t at = slab.first, next; at < slab.last && count.n > 0; at = next) {
    int d = 0;
    while (d < count.n - 1 && (at % elements_below(count, d) != 0 || slab.last - at < elements_below(count, d))) ++d;
    const int64_t below = elements_below(count, d), here = at / below % count[d];
    const int64_t steps = std::min((slab.last - at) / below, count[d] - here);
    parts.push_back(made(slab, has_records, at, d, steps));
    next = at + steps * below;
  }
  return parts;
}

}  // namespace sv
