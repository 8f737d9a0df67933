// A slab as the sub-arrays that netCDF's calls understand.
#pragma once

#include <cstddef>
#include <vector>

#include "store/slab.hpp"

namespace sv {

/// Cells [start, start + count) of a variable, the record dimension included, and where they stand in the slab's
/// buffer.
struct SubArray {
  std::vector<size_t> start, count;
  int64_t first_element, elements;
};

/// At most 2 · dims − 1, in the slab's order; none for an empty one.
std::vector<SubArray> sub_arrays(const Slab &slab, bool has_records);

}  // namespace sv
