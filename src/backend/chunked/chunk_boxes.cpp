#include "backend/chunked/chunk_boxes.hpp"

namespace sv {

Index length_of(const Schema &schema, const Variable &variable) {
  Index length;
  for (const int dim : variable.dims) {
    const Dimension &of = schema.dims[static_cast<size_t>(dim)];
    length.push(of.is_unlimited() ? INT64_MAX / 2 : of.length);
  }
  return length;
}

Box box_of(const SubArray &part) {
  Box box;
  for (const size_t start : part.start) box.start.push(static_cast<int64_t>(start));
  for (const size_t count : part.count) box.count.push(static_cast<int64_t>(count));
  box.count.resize(box.start.n);
  return box;
}

void for_chunks(const Box &wanted, const Index &length, const Index &chunk,
                const std::function<void(const ChunkOverlap &)> &visit) {
  if (wanted.empty()) return;
  Box grid;  // chunks by their numbers
  for (int d = 0; d < length.n; ++d) {
    grid.start.push(wanted.start[d] / chunk[d]);
    grid.count.push((wanted.start[d] + wanted.count[d] - 1) / chunk[d] - grid.start[d] + 1);
  }
  for (int64_t number = 0, all = grid.elements(); number < all; ++number) {
    ChunkOverlap met{{cell_at(grid, number), chunk}, {}, {}};
    for (int d = 0; d < length.n; ++d) met.stored.start[d] *= chunk[d];
    met.whole = met.stored;
    for (int d = 0; d < length.n; ++d) met.whole.count[d] = std::min(chunk[d], length[d] - met.whole.start[d]);
    met.part = intersect(met.whole, wanted);
    visit(met);
  }
}

}  // namespace sv
