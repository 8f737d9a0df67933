#include "layout/region_list.hpp"

#include <algorithm>

namespace sv {

namespace {

/// Appends numbers that are not all 1, or, as long as all have been 1, nothing.
void append_unless_ones(std::vector<int64_t> &to, const int64_t *numbers, int n, int64_t before) {
  if (to.empty() && std::all_of(numbers, numbers + n, [](int64_t number) { return number == 1; })) return;
  if (to.empty()) to.assign(static_cast<size_t>(before), 1);
  to.insert(to.end(), numbers, numbers + n);
}

}  // namespace

void RegionList::push(const Strided &region) {
  dims_ = region.dims();
  const int64_t before = size_ * dims_;
  starts_.insert(starts_.end(), region.start.begin(), region.start.end());
  append_unless_ones(counts_, region.count.data(), dims_, before);
  append_unless_ones(strides_, region.stride.data(), dims_, before);
  ++size_;
}

RegionList RegionList::of(int dims, int64_t n, const int64_t *const *starts, const int64_t *const *counts) {
  RegionList list;
  list.dims_ = dims;
  list.size_ = n;
  list.starts_.resize(static_cast<size_t>(n * dims));
  int64_t *to = list.starts_.data();
  int64_t cells = 0;  // single ones, so far
  for (; cells < n && std::all_of(counts[cells], counts[cells] + dims, [](int64_t count) { return count == 1; });
       ++cells)
    to = std::copy_n(starts[cells], dims, to);
  if (cells == n) return list;
  list.counts_.assign(static_cast<size_t>(n * dims), 1);
  int64_t *count = list.counts_.data() + cells * dims;
  for (int64_t i = cells; i < n; ++i) {
    to = std::copy_n(starts[i], dims, to);
    count = std::copy_n(counts[i], dims, count);
  }
  return list;
}

int64_t RegionList::elements() const {
  if (are_cells()) return size_;
  int64_t all = 0;
  for (auto count = counts_.begin(); count != counts_.end();) {
    int64_t cells = 1;
    for (int d = 0; d < dims_; ++d) cells *= *count++;
    all += cells;
  }
  return all;
}

Strided RegionList::at(int64_t region) const {
  Strided one = Strided::dense({Index(dims_, 0), Index(dims_, 1)});
  const auto from = static_cast<size_t>(region * dims_);
  const auto copy = [&](const std::vector<int64_t> &numbers, Index &to) {
    if (!numbers.empty()) std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(from), dims_, to.begin());
  };
  copy(starts_, one.start);
  copy(counts_, one.count);
  copy(strides_, one.stride);
  return one;
}

}  // namespace sv
