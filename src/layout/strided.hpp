// Requests for every stride-th cell of a sub-array, which follow no declared layout, and the parts into which they
// fall. Requests that wait and gets of sub-arrays use them. Values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layout/layout.hpp"

namespace sv {

/// count[d] cells from start[d], stride[d] (>= 1) apart.
struct Strided {
  Index start, count, stride;

  static Strided dense(const Box &box) { return {box.start, box.count, Index(box.dims(), 1)}; }
  int dims() const { return start.n; }
  bool empty() const;
  /// Without its first (the record) dimension.
  Strided without_record() const;
  /// The index along dimension `d` of the element at cell `cell`; −1 if none.
  int64_t find(int d, int64_t cell) const;
};

/// Into how many parts each dimension falls: one where cells follow one another, otherwise one for every cell.
Index divisions_of(const Strided &request);
/// Part `number` (row-major) of a request so divided, as a patch of `rank`: `local` is its place in the caller's array.
Patch part_of(const Strided &request, const Index &divisions, int64_t number, int rank);

/// A cell that this rank's request has in common with another's, in words. O(ranks).
std::optional<std::string> find_common_cell(const std::vector<Strided> &requests, int rank);

/// The lowest record >= `from` that some request has; −1 if none.
int64_t next_record(const std::vector<Strided> &requests, int64_t from);

/// Every rank's part of one record (−1: of a variable without records), as a layout of `shape`.
std::shared_ptr<const Layout> layout_of(const std::vector<Strided> &requests, const Index &shape, int64_t record);
/// The most parts that a rank has of a record.
int64_t most_parts(const std::vector<Strided> &requests, int64_t record);

}  // namespace sv
