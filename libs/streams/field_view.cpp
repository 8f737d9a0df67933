#include "field_view.hpp"

#include "failure.hpp"

namespace sv::streams {

namespace {

Axis sliced(const Axis &axis, const Slice &slice) {
  Axis made{axis.name, slice.length(), {}, {}, axis.attributes};
  for (int64_t k = 0; k < slice.length(); ++k) {
    const auto i = static_cast<size_t>(slice.begin + k * slice.step);
    if (!axis.values.empty()) made.values.push_back(axis.values[i]);
    if (!axis.bounds.empty()) made.bounds.insert(made.bounds.end(), {axis.bounds[2 * i], axis.bounds[2 * i + 1]});
  }
  return made;
}

/// The strides of the contiguous array.
std::vector<int64_t> strides_of(const std::vector<int64_t> &extent) {
  std::vector<int64_t> strides(extent.size(), 1);
  for (size_t d = extent.size(); d-- > 1;) strides[d - 1] = strides[d] * extent[d];
  return strides;
}

/// The dimension of the array that an axis is.
size_t dimension_of(const Field &field, size_t axis) {
  if (static_cast<int>(axis) < field.first_axis) return axis;
  return axis + field.extent.size() - field.axes.size();
}

void check_slice(const Field &field, size_t number, const Slice &slice) {
  const Axis &axis = field.axes[number];
  if (slice.end > axis.length)
    throw Failure(SV_ECONFIG,
                  "the slice of axis '" + axis.name + "' ends at " + std::to_string(slice.end) + ", but the axis has " +
                      std::to_string(axis.length) + " cells",
                  "Cells are counted from 0, and the end is exclusive");
  const auto first = static_cast<size_t>(field.first_axis);
  if (number >= first && number < first + static_cast<size_t>(field.grid_axes))
    throw Failure(SV_ECONFIG, "axis '" + axis.name + "' is divided among ranks, and has no slices",
                  "Take slices of axes that every rank has in full");
}

}  // namespace

FieldView view_of(const Field &field, const std::vector<Slice> &slices) {
  FieldView view{field.axes, 0, {}};
  const std::vector<int64_t> strides = strides_of(field.extent);
  for (const Slice &slice : slices)
    for (size_t i = 0; i < field.axes.size(); ++i) {
      if (field.axes[i].name != slice.axis) continue;
      check_slice(field, i, slice);
      if (view.strides.empty()) view.strides = strides;
      const size_t d = dimension_of(field, i);
      view.axes[i] = sliced(field.axes[i], slice);
      view.first += slice.begin * strides[d];
      view.strides[d] = slice.step * strides[d];
    }
  return view;
}

}  // namespace sv::streams
