// The weights of a remapping, of which each rank holds those of its target cells, in an order that only their file
// decides: by target cell, then by source cell. So results have the same bits for any number of ranks.
#pragma once

#include <map>
#include <memory>

#include "accumulator.hpp"
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

  /// Links of one target cell whose sources follow one another in memory.
  struct Run {
    uint32_t place, length;  // place: as CellExchange::places()
  };
  /// Those of each cell of this rank, ascending, and that for each level.
  struct Runs {
    std::vector<Run> all;
    std::vector<size_t> begins;  // of the cells of the first level, of the second one, ..., and the end
  };
  /// Local. `places`: of each of sources(), and that for each level.
  Runs runs_of(const std::vector<uint32_t> &places, size_t levels, size_t own_cells) const;

  /// Values of source cells, of enum sv_type `kind.type`: `inner` for each, and that `outer` times. Those of other
  /// ranks have all outer · inner values together.
  struct Sources {
    ValueKind kind;
    const void *own, *others;
    size_t own_cells, outer, levels, inner;
  };
  /// Local. `results`: `inner` for each cell of this rank, and that for each level, `outer` times; missing where there
  /// is no value, or NaN if the kind has no missing value.
  void apply(const Sources &of, const Runs &runs, double *results) const;

 private:
  void take_links(sv_context *io, const WeightsFile &file);
  void describe(sv_context *io, const WeightsFile &file);
  template <class Value>
  struct Slab;
  template <class Value>
  double product(const Slab<Value> &slab, size_t cell, const Run *run) const;

  std::string path_, description_;
  std::unique_ptr<TargetGrid> target_;
  std::vector<int64_t> source_shape_;
  int64_t source_cells_ = 0;
  std::vector<double> source_corners_;
  MissingRule rule_ = MissingRule::missing;
  std::vector<int64_t> sources_;
  std::vector<size_t> begins_;     // of this rank's cells, in:
  std::vector<uint32_t> columns_;  // places in sources_
  std::vector<double> weights_;
  std::vector<double> totals_;  // of the weights of each cell
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
