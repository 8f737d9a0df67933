// Boxes: hyper-rectangles of a grid, and the arithmetic of their elements in row-major order. Layouts, plans and
// schemas are made of them. Values; nothing here is collective.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/index.hpp"

namespace sv {

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
