// Means and sums over some axes of a field: zonal means, sums over a basin. Sums are exact, so that they have the same
// bits for any number of ranks. A period's result is reduced, and every rank has the whole result.
#pragma once

#include "exact_sum.hpp"
#include "field_view.hpp"
#include "space_operation.hpp"

namespace sv::streams {

class Reduction : public SpaceOperation {
 public:
  /// Local. Throws Failure(SV_ECONFIG), without a place, for an axis that the part does not have.
  Reduction(const Field &field, const FieldView &view, const ReductionRequest &request,
            const std::vector<Field> &fields);

  /// Reads regions and weights.
  void prepare(sv_context *io) override;
  /// Those that are left, after that of the regions, whose number is known after prepare().
  const std::vector<Axis> &axes() const override { return axes_; }
  size_t results() const override { return results_.size(); }
  const sv_decomp *decomp() const override { return nullptr; }
  int first_axis() const override { return 0; }
  std::string cell_method() const override;
  void take(sv_context *io, const void *values, const ValueKind &kind) override;
  const double *compute() override { return results_.data(); }

 private:
  void place_cells(const std::vector<int64_t> &regions);
  template <class Value>
  void add_cells(const Value *values, const ValueKind &kind, int64_t begin, std::vector<ExactSum> &sums,
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
