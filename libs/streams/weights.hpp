// The weights of a remapping, of which each rank holds those of its target cells, in an order that only their file
// decides: by target cell, then by source cell. So results have the same bits for any number of ranks.
#pragma once

#include <map>
#include <memory>

#include "products.hpp"
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
  /// Collective. Throws Failure without a place, on all ranks.
  Weights(sv_context *io, const std::string &path);

  const std::string &path() const { return path_; }
  const TargetGrid &target() const { return *target_; }
  const std::vector<int64_t> &source_shape() const { return source_shape_; }
  /// The cells of all ranks.
  int64_t source_cells() const { return source_cells_; }
  /// Longitude and latitude of the first and the last source cell; empty: they are not known.
  const std::vector<double> &source_corners() const { return source_corners_; }
  /// The source cells that this rank needs, ascending.
  const std::vector<int64_t> &sources() const { return sources_; }
  /// For an attribute: the method, and how well it conserves the integral.
  const std::string &description() const { return description_; }

  /// Local. Of sources() for each of `slabs`, one slab after the other. `results`: of this rank's cells, for each slab;
  /// those of `inner` slabs, one for each index of the axes after the grid, alternate. NaN where there is no value.
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
  std::vector<int64_t> sources_;
  Links links_;  // of this rank's cells
};

/// Those of each file once.
class WeightsStore {
 public:
  /// Collective.
  const Weights &of_file(sv_context *io, const std::string &path) {
    std::unique_ptr<Weights> &made = by_path_[path];
    if (!made) made = std::make_unique<Weights>(io, path);
    return *made;
  }

 private:
  std::map<std::string, std::unique_ptr<Weights>> by_path_;
};

}  // namespace sv::streams
