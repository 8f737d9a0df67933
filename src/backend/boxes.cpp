#include "backend/boxes.hpp"

namespace sv {

std::vector<SubArray> sub_arrays(const Slab &slab, bool has_records) {
  std::vector<SubArray> parts;
  int64_t before = 0;
  for (const Box &box : boxes_in(slab.box, slab.first, slab.last)) {
    SubArray part{{}, {}, before, box.elements()};
    if (has_records) {
      part.start.push_back(static_cast<size_t>(slab.record));
      part.count.push_back(1);
    }
    for (int d = 0; d < box.dims(); ++d) {
      part.start.push_back(static_cast<size_t>(box.start[d]));
      part.count.push_back(static_cast<size_t>(box.count[d]));
    }
    before += part.elements;
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace sv
