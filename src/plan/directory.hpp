// The distributed directory of a point layout: rank d is responsible for the d-th part of the grid's cells, and
// receives from every rank its points in this part. Overlaps and gaps are thus found without gathering the indices
// anywhere. Pure: the caller moves the data between ranks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/layout.hpp"
#include "layout/points.hpp"

namespace sv {

/// The message of a rank to a directory rank about its points.
struct Notice {
  int to;
  std::vector<std::byte> code;  // encoded_runs, relative to the first cell that `to` looks after
};
/// Only to ranks that look after some of its cells; ascending.
std::vector<Notice> notices_of(const PointRuns &points, int64_t cells, int ranks);

/// The directory rank that looks after a cell.
int keeper_of(int64_t cell, int64_t cells, int ranks);

/// A part of the directory, while notices come in.
class DirectoryPart {
 public:
  DirectoryPart(int64_t cells, int ranks, int index);

  /// Enters the points of `rank` in this part.
  void enter(int rank, std::span<const std::byte> code);
  /// A cell that two ranks own, in words; the first that was found.
  const std::optional<std::string> &overlap() const { return overlap_; }
  int64_t owned() const { return owned_; }
  int64_t cells() const { return part_.count; }
  /// Runs of the cells without an owner.
  RunList holes() const;
  /// −1: no owner.
  int owner(int64_t cell) const { return owner_[static_cast<size_t>(cell - part_.start)]; }

 private:
  Part part_;
  std::vector<int> owner_;
  int64_t owned_ = 0;
  std::optional<std::string> overlap_;
};

}  // namespace sv
