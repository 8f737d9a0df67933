#include "interpolation.hpp"

#include <algorithm>
#include <limits>

#include "failure.hpp"
#include "number_type.hpp"

namespace sv::streams {

namespace {

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

bool is_vertical(const Axis &axis) { return is_called(axis, "Z"); }

/// `below` and `above`: NaN where they are missing.
double between(double below, double above, const LevelWeights &weights) {
  const bool has_below = weights.of_lower != 0 && below == below, has_above = weights.of_upper != 0 && above == above;
  if (has_below && has_above) return below * weights.of_lower + above * weights.of_upper;
  if (has_below) return weights.of_lower >= 0.5 ? below : not_there;
  return has_above && weights.of_upper >= 0.5 ? above : not_there;
}

}  // namespace

std::vector<LevelWeights> weights_of(const Axis &axis, const std::vector<double> &levels) {
  const std::vector<double> &all = axis.values;
  const bool ascends = std::is_sorted(all.begin(), all.end(), std::less_equal<>());
  if (all.empty() || !(ascends || std::is_sorted(all.begin(), all.end(), std::greater_equal<>())))
    throw Failure(SV_ECONFIG, "the coordinates of axis '" + axis.name + "' neither ascend nor descend",
                  "Give the axis such coordinates, or take 'slices'");
  std::vector<LevelWeights> made;
  for (const double level : levels) {
    const auto precedes = [&](double value) { return ascends ? value < level : value > level; };
    const auto at = std::partition_point(all.begin(), all.end(), precedes);
    const int64_t upper = at - all.begin();
    if (at != all.end() && *at == level)
      made.push_back({upper, upper, 0, 1});
    else if (at == all.end() || upper == 0)
      made.push_back({0, 0, 0, 0});
    else
      made.push_back({upper - 1, upper, (*at - level) / (*at - at[-1]), (level - at[-1]) / (*at - at[-1])});
  }
  return made;
}

bool has_levels(const Field &field, const PartRequest &part) {
  return !part.levels.empty() && std::any_of(field.axes.begin(), field.axes.end(), is_vertical);
}

PickedCells level_cells(const Axis &axis, const std::vector<double> &levels, bool is_upper) {
  PickedCells made{{axis.name, std::ssize(levels), levels, {}, axis.attributes, {}}, {}};
  for (const LevelWeights &each : weights_of(axis, levels)) made.cells.push_back(is_upper ? each.upper : each.lower);
  return made;
}

Interpolation::Interpolation(const Field &field, const PartRequest &part, bool is_reduced, FieldView &lower)
    : lower_(&lower), upper_(field, part, is_reduced, true), level_of_(lower.part_cells()) {
  if (upper_.part_cells().grid != level_of_.grid)
    throw Failure(SV_ELAYOUT, "ranks own some of the levels, and others are needed for 'levels'",
                  "Give each rank all levels of its columns");
  weights_ = weights_of(*std::find_if(field.axes.begin(), field.axes.end(), is_vertical), part.levels);
  const std::vector<Axis> &axes = lower.axes();
  const auto [begin, end] = lower.grid_axes();
  const auto take_level = [&](std::vector<int64_t> &numbers, size_t first, size_t last) {
    for (int64_t &number : numbers) {
      int64_t rest = number;
      number = 0;
      for (size_t d = last; d-- > first; rest /= axes[d].length)
        if (is_vertical(axes[d])) number = rest % axes[d].length;
    }
  };
  take_level(level_of_.outer, 0, begin);
  take_level(level_of_.grid, begin, end);
  take_level(level_of_.inner, end, axes.size());
}

const double *Interpolation::apply(const ValueKind &kind, const void *values) {
  values_.resize(lower_->cells());
  with_type(kind.type, [&](auto zero) {
    using Value = decltype(zero);
    const auto *below = static_cast<const Value *>(lower_->gather(kind.type, values));
    const auto *above = static_cast<const Value *>(upper_.gather(kind.type, values));
    double *to = values_.data();
    const auto valid = [&](Value value) {
      const auto number = static_cast<double>(value);
      return is_missing(kind, number) ? not_there : number;
    };
    for (const int64_t outer : level_of_.outer)
      for (const int64_t cell : level_of_.grid)
        for (const int64_t inner : level_of_.inner)
          *to++ = between(valid(*below++), valid(*above++), weights_[static_cast<size_t>(outer + cell + inner)]);
  });
  return values_.data();
}

}  // namespace sv::streams
