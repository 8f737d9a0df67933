#include "remapping.hpp"

#include <algorithm>
#include <cmath>

#include "failure.hpp"

namespace sv::streams {

namespace {

std::string text_of(const std::vector<int64_t> &shape) {
  std::string text;
  for (const int64_t length : shape) text += (text.empty() ? "" : " x ") + std::to_string(length);
  return text;
}

/// Whether a coordinate of an axis is that of the weights, within half a cell.
bool is_near(const Axis &axis, size_t at, double wanted) {
  const double cell = axis.values.size() < 2 ? 360 : std::abs(axis.values[1] - axis.values[0]);
  return std::abs(std::remainder(axis.values[at] - wanted, 360)) <= cell / 2;
}

}  // namespace

Remapping::Remapping(const FieldView &view, Weights &weights) : view_(&view), weights_(&weights) {
  const std::vector<Axis> &axes = view.axes();
  const auto [begin, end] = view.grid_axes();
  first_axis_ = begin;
  int64_t cells = 1;
  for (horizontal_ = end; horizontal_ > begin && cells < weights.source_cells();) cells *= axes[--horizontal_].length;
  check_source();
  for (size_t d = begin; d < horizontal_; ++d) levels_ *= axes[d].length;
  axes_.assign(axes.begin(), axes.begin() + static_cast<int64_t>(horizontal_));
  axes_.insert(axes_.end(), weights.target().axes().begin(), weights.target().axes().end());
  axes_.insert(axes_.end(), axes.begin() + static_cast<int64_t>(end), axes.end());
}

/// The lengths of axes, and where the axes have coordinates, the first and the last cell.
void Remapping::check_source() const {
  const size_t end = view_->grid_axes().second;
  std::vector<int64_t> shape;
  std::string names;
  for (size_t d = horizontal_; d < end; ++d) {
    shape.push_back(view_->axes()[d].length);
    names += (names.empty() ? "" : ", ") + view_->axes()[d].name;
  }
  const std::vector<int64_t> &wanted = weights_->source_shape();
  int64_t cells = 1;
  for (const int64_t length : shape) cells *= length;
  if (cells != weights_->source_cells() || (wanted.size() == 2 && shape.size() == 2 && wanted != shape))
    throw Failure(SV_ECONFIG,
                  weights_->path() + ": its source grid has " + text_of(wanted) + " cells, but the axes (" + names +
                      ") have " + text_of(shape),
                  "Make weights for the whole grid of the field, without box, stations and slices of it");
  const std::vector<double> &corners = weights_->source_corners();
  if (shape.size() != 2 || corners.size() != 4) return;
  const Axis &y = view_->axes()[horizontal_], &x = view_->axes()[horizontal_ + 1];
  if (!is_called(y, "Y") || !is_called(x, "X") || y.values.empty() || x.values.empty()) return;
  if (!is_near(x, 0, corners[0]) || !is_near(y, 0, corners[1]) || !is_near(x, x.values.size() - 1, corners[2]) ||
      !is_near(y, y.values.size() - 1, corners[3]))
    throw Failure(SV_ECONFIG,
                  weights_->path() + ": its source grid begins at longitude " + std::to_string(corners[0]) +
                      ", latitude " + std::to_string(corners[1]) + ", but the field at " + std::to_string(x.values[0]) +
                      ", " + std::to_string(y.values[0]) + ", or the ends differ",
                  "Make weights for the grid of the field, with its order of rows and columns");
}

void Remapping::prepare(sv_context *io) {
  const FieldView::Cells cells = view_->part_cells();
  outer_ = cells.outer.size();
  inner_ = cells.inner.size();
  cells_ = &weights_->source_cells_of(io, levels_, cells.grid);
  const TargetGrid &target = weights_->target();
  std::vector<int64_t> shape, start, count;
  for (size_t d = first_axis_; d < horizontal_ + target.axes().size(); ++d) {
    shape.push_back(axes_[d].length);
    start.push_back(d == horizontal_ ? target.first_row() : 0);
    count.push_back(d == horizontal_ ? target.rows() : axes_[d].length);
  }
  sv_decomp *made = nullptr;
  must(sv_def_decomp(io, static_cast<int>(shape.size()), shape.data(), start.data(), count.data(), nullptr, &made));
  decomp_.reset(made);
  results_.resize(static_cast<size_t>(target.end() - target.begin()) * static_cast<size_t>(levels_) * outer_ * inner_);
}

void Remapping::take(sv_context *io, const void *values, const ValueKind &kind) {
  if (cells_->are_exchanged()) must(sv_flush(io, SV_HANDED_OVER));  // a rank that has failed is not waited for below
  source_type_ = source_type_of(kind.type);
  cells_->take({kind, values, outer_, inner_}, rows_);
}

const double *Remapping::compute() {
  weights_->apply({{source_type_, rows_.data()}, outer_ * static_cast<size_t>(levels_) * inner_, inner_},
                  results_.data());
  return results_.data();
}

}  // namespace sv::streams
