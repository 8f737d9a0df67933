// A field on another grid: the products of its values and the weights of a file. Each rank computes some rows of the
// target grid.
#pragma once

#include "field_view.hpp"
#include "space_operation.hpp"
#include "weights.hpp"

namespace sv::streams {

class Remapping : public SpaceOperation {
 public:
  /// Local. `view` and `weights` are borrowed. Throws Failure(SV_ECONFIG), without a place, where the source grid is
  /// not that of the view.
  Remapping(const FieldView &view, Weights &weights);

  void prepare(sv_context *io) override;
  const std::vector<Axis> &axes() const override { return axes_; }
  size_t results() const override { return results_.size(); }
  const sv_decomp *decomp() const override { return decomp_.get(); }
  int first_axis() const override { return static_cast<int>(first_axis_); }
  std::string cell_method() const override { return ""; }
  void take(sv_context *io, const void *values, const ValueKind &kind) override;
  const double *compute() override;

  const Weights &weights() const { return *weights_; }

 private:
  void check_source() const;

  struct FreeDecomp {
    void operator()(sv_decomp *decomp) const { sv_free_decomp(decomp); }
  };
  const FieldView *view_;
  Weights *weights_;
  std::vector<Axis> axes_;
  size_t first_axis_, horizontal_;  // of the view: the first axis of its grid, and of the source grid
  int64_t levels_ = 1;              // before the source grid, in the view's grid
  SourceCells *cells_ = nullptr;
  std::unique_ptr<sv_decomp, FreeDecomp> decomp_;
  size_t outer_ = 0, inner_ = 0;
  int source_type_ = SV_DOUBLE;
  std::vector<std::byte> rows_;  // of sources, for each level and index of the axes before and after the grid
  std::vector<double> results_;
};

}  // namespace sv::streams
