// The part of a field that a stream writes, in the memory of this rank's array.
#pragma once

#include "field.hpp"
#include "slice.hpp"

namespace sv::streams {

struct FieldView {
  std::vector<Axis> axes;        // with the cells of the part alone
  int64_t first = 0;             // the cell of the array that is the first one of the part
  std::vector<int64_t> strides;  // in cells, for each dimension of the array;
                                 // empty: the part is the whole array
};

/// Slices of axes that the field does not have are left out. Throws
/// Failure(SV_ECONFIG), without a place, for a slice beyond the end of its
/// axis, or of an axis that the decomposition divides.
FieldView view_of(const Field &field, const std::vector<Slice> &slices);

}  // namespace sv::streams
