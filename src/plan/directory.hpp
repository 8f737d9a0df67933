// The distributed directory of a point layout: rank d looks after the d-th part of the grid's cells, and learns from
// every rank which of these it owns. So overlaps and gaps are found without gathering the indices anywhere. Pure: what
// moves between ranks is moved by the caller.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/layout.hpp"
#include "layout/points.hpp"

namespace sv {

/// What a rank tells a directory rank of its points.
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

  /// What `rank` owns of this part.
  void enter(int rank, std::span<const std::byte> code);
  /// A cell that two ranks own, in words; the first that was found.
  const std::optional<std::string> &overlap() const { return overlap_; }
  int64_t owned() const { return owned_; }
  int64_t cells() const { return part_.count; }
  /// Runs of the cells that nobody owns.
  RunList holes() const;
  /// −1: nobody.
  int owner(int64_t cell) const { return owner_[static_cast<size_t>(cell - part_.start)]; }

 private:
  Part part_;
  std::vector<int> owner_;
  int64_t owned_ = 0;
  std::optional<std::string> overlap_;
};

}  // namespace sv
