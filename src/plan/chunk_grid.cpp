#include "plan/chunk_grid.hpp"

#include <algorithm>

namespace sv {

namespace {

/// Whether boxes of this shape are contiguous in the order of dimensions [first, last): single cells in the slowest
/// ones, then one that is cut, then whole ones.
bool are_contiguous(const Index &shape, const Index &chunk, int first, int last) {
  int d = last - 1;
  while (d >= first && chunk[d] >= shape[d]) --d;
  for (--d; d >= first; --d)
    if (chunk[d] > 1 && shape[d] > 1) return false;
  return true;
}

}  // namespace

ChunkGrid::ChunkGrid(const Field &field)
    : shape_(field.shape),
      chunk_(field.chunk),
      first_owner_(field.first_owner),
      are_stretches_(are_contiguous(field.shape, field.chunk, 0, field.shape.n)) {
  for (int d = 0; d < shape_.n; ++d) {
    chunk_[d] = std::clamp<int64_t>(chunk_[d], 1, std::max<int64_t>(shape_[d], 1));
    counts_.push((shape_[d] + chunk_[d] - 1) / chunk_[d]);
    chunks_ *= counts_[d];
    most_elements_ *= chunk_[d];
  }
}

Box ChunkGrid::box(int64_t number) const {
  Box box{Index(shape_.n, 0), chunk_};
  for (int d = shape_.n - 1; d >= 0; --d) {
    box.start[d] = number % counts_[d] * chunk_[d];
    box.count[d] = std::min(chunk_[d], shape_[d] - box.start[d]);
    number /= counts_[d];
  }
  return box;
}

std::vector<int64_t> ChunkGrid::meeting(const Box &box) const {
  if (box.empty()) return {};
  std::vector<int64_t> numbers{0};
  for (int d = 0; d < shape_.n; ++d) {
    const int64_t first = box.start[d] / chunk_[d], last = (box.start[d] + box.count[d] - 1) / chunk_[d];
    std::vector<int64_t> with_this;
    for (const int64_t number : numbers)
      for (int64_t i = first; i <= last; ++i) with_this.push_back(number * counts_[d] + i);
    numbers = std::move(with_this);
  }
  return numbers;
}

Share ChunkGrid::share(int64_t number) const {
  const Box own = box(number);
  if (!are_stretches_) return {own, 0, own.elements()};
  const Box whole = Box::whole(shape_);
  const int64_t first = position(whole, own.start);
  return {whole, first, first + own.elements()};
}

int ChunkGrid::single_dims_for_points(const Field &field, int grid_dims) const {
  if (are_stretches_) return 0;
  const int groups[] = {0, field.first_axis, field.first_axis + grid_dims, shape_.n};
  Index part = chunk_;
  for (int single = 0; single < shape_.n; part[single++] = 1) {
    bool suits = true;
    for (int g = 0; g < 3; ++g) suits = suits && are_contiguous(shape_, part, groups[g], groups[g + 1]);
    if (suits) return single;
  }
  return shape_.n;
}

Share ChunkGrid::part(int64_t number, int single_dims, int64_t part) const {
  Box own = box(number);
  bool is_there = true;
  for (int d = single_dims - 1; d >= 0; --d) {
    const int64_t cell = part % chunk_[d];
    part /= chunk_[d];
    is_there = is_there && cell < own.count[d];
    own.start[d] += cell;
    own.count[d] = 1;
  }
  return {is_there ? own : Box::whole(shape_), 0, is_there ? own.elements() : 0};
}

int64_t ChunkGrid::part_elements(int single_dims) const {
  int64_t elements = 1;
  for (int d = single_dims; d < chunk_.n; ++d) elements *= chunk_[d];
  return elements;
}

std::vector<Share> chunk_shares(const Field &field, int owner, int owners, int64_t most_elements) {
  const ChunkGrid grid(field);
  std::vector<Share> shares;
  const int64_t first = ((owner - field.first_owner) % owners + owners) % owners;
  for (int64_t number = first; number < grid.chunks(); number += owners) {
    const Share all = grid.share(number);
    for (int64_t at = all.first; at < all.last; at += most_elements)
      shares.push_back({all.box, at, std::min(at + most_elements, all.last)});
  }
  return shares;
}

}  // namespace sv
