// A rank's points in its arrays, and their passage into and out of the order of the file. A field is seen as (outer,
// cell, inner): the dimensions before those of the grid, these as one, and the dimensions after them.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layout/points.hpp"
#include "packing/memory_view.hpp"
#include "plan/plan.hpp"

namespace sv {

/// The caller's array, borrowed for one call: its first point lies at `first`. Strides are in bytes.
struct PointView {
  std::byte *first = nullptr;
  int64_t element_bytes = 0;  // in memory
  Index outer, outer_stride, inner, inner_stride;
  int64_t point_stride = 0;

  /// Where element (outer, first point, inner) lies, for row-major indices of the dimensions before and after.
  std::byte *at(int64_t outer_index, int64_t inner_index) const;
  /// Bytes between neighbours in the row-major order of the inner dimensions; nullopt where they differ.
  std::optional<int64_t> inner_step() const;
};
/// `stride`: nullptr for contiguous, otherwise bytes for each dimension of the array: outer, points, inner.
PointView point_view(const Field &field, int grid_dims, int64_t points, int64_t element_bytes, const int64_t *stride);

/// Part of a share: whole cells [first, last) at one outer index, of each the inner elements [inner, inner + length). A
/// cell that the share cuts is a range of its own.
struct CellRange {
  int64_t outer, first, last, inner, length;
  int64_t position;  // in the share, in elements, of the first
};

/// The ranges of a share, ascending.
class CellRanges {
 public:
  CellRanges(const Field &field, int grid_dims, const Share &share);

  template <class Visit>
  void visit(Visit &&visit) const {
    const int64_t slab = cells_ * inner_;
    for (int64_t o = slab > 0 ? first_ / slab : 0; slab > 0 && o * slab < last_; ++o)
      visit_slab(o, std::max<int64_t>(first_ - o * slab, 0), std::min(last_ - o * slab, slab), visit);
  }
  /// The cells between the first and the last that it has something of: [first, last).
  std::pair<int64_t, int64_t> cells() const;
  /// How many elements of these points are in it. O(log runs) for each range that differs from the one before.
  int64_t elements(const PointRuns &points) const;

 private:
  template <class Visit>
  void visit_slab(int64_t o, int64_t begin, int64_t end, Visit &&visit) const {
    const auto part = [&](int64_t first, int64_t last, int64_t from, int64_t to) {
      if (first < last && from < to)
        visit(CellRange{outer_begin_ + o, cell_begin_ + first, cell_begin_ + last, inner_begin_ + from, to - from,
                        (o * cells_ + first) * inner_ + from - first_});
    };
    const int64_t head = begin / inner_, tail = end / inner_, cut = begin % inner_, rest = end % inner_;
    if (cut > 0) part(head, head + 1, cut, head == tail ? rest : inner_);
    part(cut > 0 ? head + 1 : head, tail, 0, inner_);
    if (head < tail || cut == 0) part(tail, tail + 1, 0, rest);
  }

  int64_t outer_begin_ = 0, cell_begin_ = 0, inner_begin_ = 0, cells_ = 1, inner_ = 1;  // of the share's box
  int64_t first_, last_;
};

/// A rank's own points: their runs, and where these stand in its arrays (PointTable::local).
struct PointsInMemory {
  const PointRuns &runs;
  std::span<const int64_t> local;
  const PointView &view;
};

/// As pack and unpack of blocks; the order of compact bodies is that of the file.
OutOfRange pack_points(const PointsInMemory &points, const CellRanges &share, const PackRow &row, Form form,
                       std::byte *to);
OutOfRange unpack_points(const PointsInMemory &points, const CellRanges &share, const UnpackRow &row, Form form,
                         const std::byte *from);

/// From a compact body to the file's order, and back.
void spread_points(const PointRuns &points, const CellRanges &share, int64_t element_bytes, const std::byte *compact,
                   std::byte *to);
void gather_points(const PointRuns &points, const CellRanges &share, int64_t element_bytes, const std::byte *from,
                   std::byte *compact);

/// Calls visit(position in the share, elements) for every run of points in it, in the order of compact bodies.
void for_point_runs(const PointRuns &points, const CellRanges &share,
                    const std::function<void(int64_t position, int64_t elements)> &visit);

}  // namespace sv
