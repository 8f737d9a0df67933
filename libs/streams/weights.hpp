// The weights of a remapping, of which each rank holds those of its target cells, in an order that only their file
// decides: by target cell, then by source cell. So results have the same bits for any number of ranks.
#pragma once

#include <map>
#include <memory>

#include "source_cells.hpp"
#include "target_grid.hpp"

namespace sv::streams {

/// The target value where sources are missing.
enum class MissingRule {
  missing,    // it is missing
  mean,       // the mean of the others: areas are divided by those of valid sources
  sum_alone,  // the sum over the others, as areas of missing sources do not count in values either
};

class Weights {
 public:
  /// Collective. Throws Failure without a place, on all ranks. The nodes are borrowed.
  Weights(sv_context *io, const NodeGroup &nodes, const std::string &path);

  const std::string &path() const { return path_; }
  const TargetGrid &target() const { return *target_; }
  const std::vector<int64_t> &source_shape() const { return source_shape_; }
  /// The cells of all ranks.
  int64_t source_cells() const { return source_cells_; }
  /// Longitude and latitude of the first and the last source cell; empty: they are not known.
  const std::vector<double> &source_corners() const { return source_corners_; }
  /// Collective. Those that this rank needs in each of `levels`, for fields of which it has the cells `own`: one set
  /// for all such fields.
  SourceCells &source_cells_of(sv_context *io, int64_t levels, const std::vector<int64_t> &own);
  /// For an attribute: the method, and how well it conserves the integral.
  const std::string &description() const { return description_; }

  /// Local. Of source cells for each of `slabs`, one slab after the other. `results`: of this rank's cells, for each
  /// slab; those of `inner` slabs, one for each index of the axes after the grid, alternate. NaN where there is no
  /// value.
  struct Slabs {
    SourceValues sources;
    size_t slabs, inner;
  };
  void apply(const Slabs &of, double *results) const;

 private:
  void take_links(sv_context *io, const WeightsFile &file);
  void describe(sv_context *io, const WeightsFile &file);

  std::string path_, description_;
  std::unique_ptr<TargetGrid> target_;
  std::vector<int64_t> source_shape_;
  int64_t source_cells_ = 0;
  std::vector<double> source_corners_;
  MissingRule rule_ = MissingRule::missing;
  const NodeGroup *nodes_;
  std::vector<int64_t> sources_;  // that this rank needs, ascending
  Links links_;                   // of this rank's cells
  std::vector<std::unique_ptr<SourceCells>> source_cells_of_;
};

/// Those of each file once.
class WeightsStore {
 public:
  /// Collective.
  Weights &of_file(sv_context *io, const std::string &path) {
    if (!nodes_) nodes_ = std::make_unique<NodeGroup>(io);
    std::unique_ptr<Weights> &made = by_path_[path];
    if (!made) made = std::make_unique<Weights>(io, *nodes_, path);
    return *made;
  }

 private:
  std::unique_ptr<NodeGroup> nodes_;
  std::map<std::string, std::unique_ptr<Weights>> by_path_;
};

}  // namespace sv::streams
