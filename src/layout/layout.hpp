// A layout: the shape of a grid that is divided among ranks, and the part that each rank owns: boxes (patches), or any
// set of points. The model (the program that uses Sverdrup) declares one for each decomposition, and plans are made
// from it. It knows nothing of files or memory. It does not change once it is made, and is equal on all ranks, with one
// exception: a rank knows only the points of others that it has received.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/box.hpp"
#include "layout/layout_table.hpp"
#include "layout/points.hpp"
#include "layout/regions.hpp"

namespace sv {

/// A rank's own description of its block, before any check.
struct BlockRequest {
  Index start, count;
};

/// Cuts a block at periodic boundaries. Throws Error(layout) when it is out of range (not periodic), has negative
/// counts, or is longer than a periodic dimension. A block without cells has no patches. On a periodic axis `start` may
/// be any number. `periodic`: by dimension; those left out are not.
std::vector<Patch> patches_of(const BlockRequest &block, const Index &shape, const std::vector<bool> &periodic,
                              int rank);

/// Throws Error(invalid, limit) for lengths below 1, and for more than 2^63 cells.
void check_grid(const Index &shape);

class Layout {
 public:
  Layout(const Index &shape, LayoutTable table, bool holes_declared)
      : shape_(shape), holes_declared_(holes_declared), table_(std::move(table)) {}
  /// `patches`: ordered by rank; only non-empty ones. `ranks`: how many there are, those without patches included.
  Layout(const Index &shape, int ranks, const std::vector<Patch> &patches, bool holes_declared);
  /// For points: the number that each rank owns, and the table of known points.
  Layout(const Index &shape, std::vector<int64_t> owned, std::shared_ptr<PointTable> points, bool holes_declared);

  const Index &shape() const { return shape_; }
  int ranks() const { return table_.ranks(); }
  int64_t cells() const;
  /// Cells some rank owns.
  int64_t owned_cells() const { return table_.owned_cells(); }
  /// True if some cells have no owner; only a layout with declared holes may have them.
  bool has_holes() const { return owned_cells() < cells(); }
  bool holes_declared() const { return holes_declared_; }
  /// For declared holes in a layout of patches: disjoint boxes of exactly the cells without an owner.
  const BoxList &holes() const { return table_.holes(); }
  /// Of points there are no patches; otherwise points() is nullptr.
  PointTable *points() const { return points_.get(); }
  PatchList patches() const { return table_.patches(); }
  PatchList patches_of_rank(int rank) const { return table_.patches_of_rank(rank); }
  int64_t cells_of_rank(int rank) const { return table_.cells_of_rank(rank); }
  int64_t cells_of_ranks(std::span<const int> ranks) const;
  /// The table of owners, for code that does not need whole patches.
  const LayoutTable &table() const { return table_; }

 private:
  Index shape_;
  bool holes_declared_;
  LayoutTable table_;
  std::shared_ptr<PointTable> points_;
};

/// The part of the check of a layout that `rank` does: its patches against those of all ranks. O(patches of the layout)
/// per own patch. The text names both ranks and the cells they share. Empty if there is no overlap.
std::optional<std::string> find_overlap(const Layout &layout, int rank);
/// Describes a cell without an owner, for the message about a gap; nullopt if there is none. Cost is only paid on
/// error.
std::optional<std::string> find_gap(const Layout &layout);

/// The uneven division of `length` cells into `parts`: the first length % parts have one more.
struct Part {
  int64_t start, count;
};
Part part_of(int64_t length, int64_t parts, int64_t part);

/// px × py blocks of a grid [ny, nx], ranks x-fastest, as in most models. For tests, tools and plans of virtual ranks.
std::shared_ptr<const Layout> block_layout(int64_t nx, int64_t ny, int px, int py);
/// The same without the blocks that are all land. `mask`: px · py values, x-fastest; the blocks where it is true have
/// the ranks 0, 1, … in this order. Holes are declared. Throws Error(invalid) for a mask of another size or without a
/// block.
std::shared_ptr<const Layout> masked_block_layout(int64_t nx, int64_t ny, int px, int py,
                                                  const std::vector<bool> &mask);

/// I/O domains (io_layout = nx, ny; Yang et al. 2020, Sect. 2): groups of compute domains that form boxes.
struct IoDomain {
  Box box;   // of the layout's grid
  int root;  // the I/O PE: the lowest rank that owns a part of it
};
/// Groups the columns and rows of the process grid as evenly as part_of does; io_nx and io_ny need not divide it. x is
/// the layout's last dimension, y the one before (1-D layouts: io_ny must be 1). The domains of all groups tile the
/// grid: cells outside the blocks belong to the group before them (or to the first group). Domains without an owner are
/// omitted. Ordered by y, then x. Throws Error(invalid) with the nearest valid io_layout when there are more I/O
/// domains than columns or rows, or when the blocks do not form a grid of columns and rows.
std::vector<IoDomain> io_domains(const Layout &layout, int io_nx, int io_ny);
/// Numbers of columns and rows of the process grid (distinct starts along x, y).
struct ProcessGrid {
  int columns, rows;
};
ProcessGrid process_grid(const Layout &layout);

}  // namespace sv
