// Boxes: hyper-rectangles of a grid, and the arithmetic of their elements in row-major order. Layouts, plans and
// schemas are made of them. Values; nothing here is collective.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace sv {

/// The most dimensions of a variable, as in netCDF; and of the grid of a decomposition.
constexpr int max_dims = 1024, max_grid_dims = 16;

/// A tuple of int64, slowest dimension first. Up to eight stand in the object itself, which suffice for nearly all
/// variables; more take memory of their own.
class Index {
 public:
  Index() = default;
  Index(std::initializer_list<int64_t> values);
  Index(int size, int64_t value);
  Index(const Index &other) { *this = other; }
  Index(Index &&other) noexcept { *this = std::move(other); }
  Index &operator=(const Index &other) {
    resize(other.n);
    for (int d = 0; d < n; ++d) values_[d] = other.values_[d];
    return *this;
  }
  Index &operator=(Index &&other) noexcept;
  ~Index() {
    if (values_ != near_.data()) delete[] values_;
  }

  int64_t &operator[](int d) { return values_[d]; }
  int64_t operator[](int d) const { return values_[d]; }
  void push(int64_t value) {
    resize(n + 1);
    values_[n - 1] = value;
  }
  /// The first `size` values; further ones have no particular value.
  void resize(int size) {
    if (size > capacity_) reserve(size);
    n = size;
  }
  const int64_t *data() const { return values_; }
  int64_t *data() { return values_; }
  const int64_t *begin() const { return values_; }
  int64_t *begin() { return values_; }
  const int64_t *end() const { return values_ + n; }
  int64_t *end() { return values_ + n; }
  bool operator==(const Index &other) const;
  /// Of its values: of a shape, how many cells it has. 1 without any.
  int64_t product() const {
    int64_t product = 1;
    for (int d = 0; d < n; ++d) product *= values_[d];
    return product;
  }

  int n = 0;  // how many they are; only resize makes it larger

 private:
  static constexpr int near = 8;
  void reserve(int size);

  int capacity_ = near;
  std::array<int64_t, near> near_{};
  int64_t *values_ = near_.data();  // or memory of its own
};

/// `count[d]` cells from `start[d]` in each dimension.
struct Box {
  Index start, count;

  static Box whole(const Index &shape);
  int dims() const { return start.n; }
  int64_t elements() const { return count.product(); }
  bool empty() const { return elements() == 0; }
  bool operator==(const Box &other) const { return start == other.start && count == other.count; }
};

/// The cells in both; empty (count 0) where they do not meet.
Box intersect(const Box &a, const Box &b);
/// Whether that is not empty; cheaper.
bool meet(const Box &a, const Box &b);

/// Position of the cell `at` in the row-major order of `box`, and back.
int64_t position(const Box &box, const Index &at);
Index cell_at(const Box &box, int64_t position);

/// The cells at positions [first, last) of `whole`'s row-major order as boxes, in that order: at most 2 · dims − 1,
/// each of them as large as can be.
std::vector<Box> boxes_in(const Box &whole, int64_t first, int64_t last);

/// How many cells of `part` (inside `whole`) stand before position `limit` in the row-major order of `whole`. O(dims).
int64_t count_before(const Box &part, const Box &whole, int64_t limit);

/// The same for many parts of one box: which cell stands at `limit` is found once.
class CellsBefore {
 public:
  CellsBefore(const Box &whole, int64_t limit);
  int64_t of(const Box &part) const;

 private:
  bool none_, all_;
  Index cut_;  // the cell at `limit`
};

/// A row of `part`: `elements` cells along the last dimension, from cell `start`, at `position` of `whole`'s order.
struct Row {
  Index start;
  int64_t position;
  int64_t elements;
};

/// Walks the rows of `part` (inside `whole`) whose cells have positions in [first, last) of `whole`'s row-major order,
/// in that order, clipped to it. Finds the first row in O(dims · log rows); never walks rows outside.
class RowCursor {
 public:
  RowCursor(const Box &part, const Box &whole, int64_t first, int64_t last);
  /// False when there are no more rows; `row` is then unchanged.
  bool next(Row &row);

 private:
  Box part_;
  Index stride_;  // of whole, in elements
  int64_t first_, last_;
  Index at_;          // cell that begins the next row
  int64_t position_;  // of at_ in whole
  bool done_ = false;
};

/// A maximal contiguous range of `whole`'s order, in elements.
struct Segment {
  int64_t first, last;
};

}  // namespace sv
