// Means and sums over some axes of a field: zonal means, sums over a basin. Sums are exact, so that they have the same
// bits for any number of ranks. A period's result is reduced, and every rank has the whole result.
#pragma once

#include "exact_sum.hpp"
#include "field_view.hpp"

namespace sv::streams {

class Reduction {
 public:
  /// Local. Throws Failure(SV_ECONFIG), without a place, for an axis that the part does not have.
  Reduction(const Field &field, const FieldView &view, const ReductionRequest &request,
            const std::vector<Field> &fields);

  /// Collective. Reads regions and weights.
  void read(sv_context *io);
  /// Those that are left, after that of the regions. Their number is known after read().
  const std::vector<Axis> &axes() const { return axes_; }
  /// Their number.
  size_t results() const { return results_.size(); }
  /// For cell_methods: " lat: lon: mean".
  std::string cell_method() const;

  /// Collective. `values`: of this rank's cells of the part, with `missing` where there is none. Returns those of
  /// axes(); `missing` where no value was valid. Valid until the next call.
  const double *reduce(sv_context *io, const double *values, const ValueKind &kind);

 private:
  void place_cells(const std::vector<int64_t> &regions);
  void add_cells(const double *values, const ValueKind &kind, int64_t begin, std::vector<ExactSum> &sums,
                 std::vector<ExactSum> &weights) const;

  const Field *field_;
  const FieldView *view_;
  ReductionRequest request_;
  const Field *regions_of_model_ = nullptr, *weights_of_model_ = nullptr;  // instead of variables of files
  std::vector<Axis> axes_;
  std::vector<bool> is_reduced_;  // by axis of the part
  std::vector<double> weights_;   // by cell of this rank's part of the grid; empty: all are 1
  // The number of a cell's result is the sum of three numbers, by its places in FieldView::Cells. A negative number in
  // the grid: the cell is in no region.
  FieldView::Cells to_;
  std::vector<double> results_;
};

}  // namespace sv::streams
