// Boxes that stand in memory as numbers, of each only the dimensions that it has. Views.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "layout/box.hpp"

namespace sv {

/// Goes through a view whose elements are made when they are asked for.
template <class View>
class ViewIterator {
 public:
  using value_type = decltype(std::declval<const View &>()[0]);
  using reference = value_type;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  ViewIterator(const View &view, size_t at) : view_(view), at_(at) {}
  value_type operator*() const { return view_[at_]; }
  ViewIterator &operator++() {
    ++at_;
    return *this;
  }
  ViewIterator operator++(int) { return {view_, at_++}; }
  bool operator==(const ViewIterator &other) const { return at_ == other.at_; }

 private:
  View view_;
  size_t at_;
};

/// Boxes of a grid: a view. Of each, the start and then the count.
class BoxList {
 public:
  BoxList() = default;
  BoxList(int dims, const int64_t *numbers, size_t size) : dims_(dims), numbers_(numbers), size_(size) {}

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Box operator[](size_t i) const {
    Box box;
    const int64_t *const start = start_of(i), *const count = start + dims_;
    for (int d = 0; d < dims_; ++d) {
      box.start.push(start[d]);
      box.count.push(count[d]);
    }
    return box;
  }
  int64_t elements(size_t i) const {
    const int64_t *const count = start_of(i) + dims_;
    int64_t product = 1;
    for (int d = 0; d < dims_; ++d) product *= count[d];
    return product;
  }
  /// Whether this one and `box` have cells in common, where the dimensions of the list are those of `box` from `axis`
  /// on.
  bool meets(size_t i, const Box &box, int axis = 0) const {
    const int64_t *const start = start_of(i), *const count = start + dims_;
    for (int d = 0; d < dims_; ++d) {
      const int64_t first = box.start[axis + d], low = std::max(start[d], first);
      if (low >= start[d] + count[d] || low >= first + box.count[axis + d]) return false;
    }
    return true;
  }
  /// Some of them.
  BoxList part(size_t first, size_t last) const { return {dims_, start_of(first), last - first}; }
  ViewIterator<BoxList> begin() const { return {*this, 0}; }
  ViewIterator<BoxList> end() const { return {*this, size_}; }

 private:
  const int64_t *start_of(size_t i) const { return numbers_ + 2 * i * static_cast<size_t>(dims_); }

  int dims_ = 0;
  const int64_t *numbers_ = nullptr;
  size_t size_ = 0;
};

}  // namespace sv
