// Linear interpolation of a field onto given levels of its vertical axis, with the rules of CDO's operator intlevel.
// Each step's values are interpolated, before operations over time. Local.
#pragma once

#include "field_view.hpp"

namespace sv::streams {

/// A level between two levels of an axis, by their numbers. Both weights are 0 outside of the axis.
struct LevelWeights {
  int64_t lower, upper;
  double of_lower, of_upper;
};
/// Throws Failure(SV_ECONFIG), without a place, unless the coordinates of the axis ascend or descend.
std::vector<LevelWeights> weights_of(const Axis &axis, const std::vector<double> &levels);

/// Whether the part has levels, and the field a vertical axis.
bool has_levels(const Field &field, const PartRequest &part);

/// The axis of the levels, with the cells below them, or above them.
PickedCells level_cells(const Axis &axis, const std::vector<double> &levels, bool is_upper);

class Interpolation {
 public:
  /// `lower`: the view of the levels below, which is borrowed. Throws Failure(SV_ELAYOUT), without a place, where other
  /// ranks have the levels above.
  Interpolation(const Field &field, const PartRequest &part, bool is_reduced, FieldView &lower);

  /// `values`: this rank's array of the field, of this kind. Returns the values of the view, NaN where they are
  /// missing; valid until the next call. If one of the two levels is missing, the value of the other one counts if its
  /// weight is 1/2 or more.
  const double *apply(const ValueKind &kind, const void *values);

 private:
  FieldView *lower_;
  FieldView upper_;
  std::vector<LevelWeights> weights_;
  FieldView::Cells level_of_;  // a cell's level is the sum of three numbers, by its places in FieldView::Cells
  std::vector<double> values_;
};

}  // namespace sv::streams
