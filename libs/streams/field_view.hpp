// The part of a field that a stream writes: some cells of its axes, or the cells nearest to stations. Its values are
// gathered from this rank's array, so that accumulators hold no others.
#pragma once

#include <memory>

#include "part_request.hpp"

namespace sv::streams {

class FieldView {
 public:
  /// Local. Ranges of axes that the field does not have are left out, and so are stations unless it has X and Y. Throws
  /// Failure(SV_ECONFIG), without a place. `is_reduced`: only cells that this rank owns. `is_upper`: of two levels
  /// around those of the request, the ones above (interpolation.hpp).
  FieldView(const Field &field, const PartRequest &request, bool is_reduced, bool is_upper = false);

  /// Those of the part, slowest first.
  const std::vector<Axis> &axes() const { return axes_; }
  /// Of this rank's array of the part.
  size_t cells() const { return is_whole_ ? field_->cells : outer_.size() * in_level_.size() * inner_.size(); }
  /// Collective. Divides the cells of the part among their ranks, where the whole grid's decomposition does not.
  void divide(sv_context *io);
  /// How it is divided; nullptr: each rank has all of it. The first axis of its grid is first_axis().
  const sv_decomp *decomp() const { return own_decomp_ ? own_decomp_.get() : divides_anew_ ? nullptr : field_->decomp; }
  int first_axis() const { return field_->first_axis; }

  /// This rank's cells are all combinations of three lists, the first one slowest: numbers of cells along the axes
  /// before the grid that is divided, in the grid, and along the axes after it. Each is a row-major number within these
  /// axes of the part. For a view that is a part, or reduced.
  struct Cells {
    std::vector<int64_t> outer, grid, inner;
  };
  Cells part_cells() const;
  /// The first of the part's axes in that grid, and the one after the last.
  std::pair<size_t, size_t> grid_axes() const { return {first_grid_axis_, first_grid_axis_ + shape_.size()}; }
  /// Of each cell in the grid: its place in one level of this rank's array of the field.
  const std::vector<int64_t> &level_places() const { return in_level_; }

  /// `values`: this rank's array of the field, of enum sv_type `type`. Returns those of the part; valid until the next
  /// call.
  const void *gather(int type, const void *values);

 private:
  struct FreeDecomp {
    void operator()(sv_decomp *decomp) const { sv_free_decomp(decomp); }
  };

  const Field *field_;
  std::vector<Axis> axes_;
  size_t first_grid_axis_ = 0;
  bool is_whole_ = true, divides_anew_ = false;
  bool is_in_order_ = true;              // the part is this rank's whole array
  std::vector<int64_t> outer_, inner_;   // the selected cells of the field's axes before and after the grid
  std::vector<int64_t> in_level_;        // and their places in a level of this rank's array
  int64_t level_ = 0, inner_cells_ = 1;  // cells of such a level, and of all axes after the grid
  std::vector<int64_t> shape_;           // of the grid of the part, if it is divided anew,
  std::vector<int64_t> positions_;       // and the numbers of this rank's cells there
  std::shared_ptr<sv_decomp> own_decomp_;
  std::vector<std::byte> gathered_;
};

}  // namespace sv::streams
