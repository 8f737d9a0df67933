#include "layout/box.hpp"

#include <algorithm>

namespace sv {

Box Box::whole(const Index &shape) { return {Index(shape.n, 0), shape}; }

Box intersect(const Box &a, const Box &b) {
  Box both{Index(a.dims(), 0), Index(a.dims(), 0)};
  for (int d = 0; d < a.dims(); ++d) {
    const int64_t low = std::max(a.start[d], b.start[d]);
    const int64_t high = std::min(a.start[d] + a.count[d], b.start[d] + b.count[d]);
    both.start[d] = low;
    both.count[d] = std::max<int64_t>(0, high - low);
  }
  return both;
}

bool meet(const Box &a, const Box &b) {
  for (int d = 0; d < a.dims(); ++d) {
    const int64_t low = std::max(a.start[d], b.start[d]);
    if (low >= a.start[d] + a.count[d] || low >= b.start[d] + b.count[d]) return false;
  }
  return true;
}

int64_t position(const Box &box, const Index &at) {
  int64_t linear = 0;
  for (int d = 0; d < box.dims(); ++d) linear = linear * box.count[d] + (at[d] - box.start[d]);
  return linear;
}

Index cell_at(const Box &box, int64_t position) {
  Index at(box.dims(), 0);
  for (int d = box.dims() - 1; d >= 0; --d) {
    at[d] = box.start[d] + position % box.count[d];
    position /= box.count[d];
  }
  return at;
}

std::vector<Box> boxes_in(const Box &whole, int64_t first, int64_t last) {
  std::vector<Box> boxes;
  const Index &count = whole.count;
  if (first < last && count.n == 0) boxes.push_back(whole);
  const Index below = [&count] {  // elements of one step in each dimension
    Index elements(count.n, 1);
    for (int d = count.n - 2; d >= 0; --d) elements[d] = elements[d + 1] * count[d + 1];
    return elements;
  }();
  // Each box is the largest one that begins here: as many whole steps of the slowest dimension as are left of it.
  for (int64_t at = first, next; at < last && count.n > 0; at = next) {
    int d = 0;
    while (d < count.n - 1 && (at % below[d] != 0 || last - at < below[d])) ++d;
    Box box{cell_at(whole, at), count};
    for (int e = 0; e < d; ++e) box.count[e] = 1;
    box.count[d] = std::min((last - at) / below[d], count[d] - at / below[d] % count[d]);
    next = at + box.count[d] * below[d];
    boxes.push_back(box);
  }
  return boxes;
}

CellsBefore::CellsBefore(const Box &whole, int64_t limit) : none_(limit <= 0), all_(limit >= whole.elements()) {
  if (!none_ && !all_) cut_ = cell_at(whole, limit);
}

int64_t CellsBefore::of(const Box &part) const {
  if (none_) return 0;
  if (all_) return part.elements();
  // Lexicographic count: cells that agree with `cut_` in the dimensions before d and are smaller in d. From the last
  // dimension on: those that are smaller in the dimensions after d, of the cells that agree with it up to d.
  int64_t total = 0, after = 1;
  for (int d = part.dims() - 1; d >= 0; --d) {
    const int64_t offset = cut_[d] - part.start[d];
    if (offset < 0 || offset >= part.count[d]) total = 0;
    total += std::clamp<int64_t>(offset, 0, part.count[d]) * after;
    after *= part.count[d];
  }
  return total;
}

int64_t count_before(const Box &part, const Box &whole, int64_t limit) { return CellsBefore(whole, limit).of(part); }

RowCursor::RowCursor(const Box &part, const Box &whole, int64_t first, int64_t last)
    : part_(part), stride_(part.dims(), 1), first_(first), last_(last), at_(part.start), position_(0) {
  const int n = part.dims();
  for (int d = n - 2; d >= 0; --d) stride_[d] = stride_[d + 1] * whole.count[d + 1];
  if (part.empty() || first >= last) {
    done_ = true;
    return;
  }
  const int64_t row_length = n > 0 ? part.count[n - 1] : 1;
  const int64_t skipped_rows = count_before(part, whole, first) / row_length;
  if (skipped_rows * row_length >= part.elements()) {
    done_ = true;
    return;
  }
  at_ = cell_at(part, skipped_rows * row_length);
  position_ = position(whole, at_);
}

bool RowCursor::next(Row &row) {
  if (done_ || position_ >= last_) return false;
  const int n = part_.dims();
  const int64_t length = n > 0 ? part_.count[n - 1] : 1;
  const int64_t skip = std::max<int64_t>(0, first_ - position_);
  row.start = at_;
  if (n > 0) row.start[n - 1] += skip;
  row.position = position_ + skip;
  row.elements = std::min(position_ + length, last_) - row.position;
  int d = n - 2;
  for (; d >= 0; --d) {
    position_ += stride_[d];
    if (++at_[d] < part_.start[d] + part_.count[d]) break;
    position_ -= part_.count[d] * stride_[d];
    at_[d] = part_.start[d];
  }
  done_ = d < 0;
  return true;
}

}  // namespace sv
