#include "model/growth.hpp"

#include <algorithm>

namespace sv {

std::vector<Growth> growths_for(const Schema &schema, const Variable &variable, const Index &ends) {
  std::vector<Growth> growths;
  for (int d = 0; d < ends.n; ++d) {
    const int dim = variable.dims[static_cast<size_t>(d)];
    const Dimension &of = schema.dims[static_cast<size_t>(dim)];
    if (of.grows && ends[d] > of.length) growths.push_back({dim, ends[d]});
  }
  return growths;
}

void lengthen_dimensions(Schema &schema, std::span<const Growth> growths) {
  for (const auto &[dim, length] : growths) {
    int64_t &known = schema.dims[static_cast<size_t>(dim)].length;
    known = std::max(known, length);
  }
}

}  // namespace sv
