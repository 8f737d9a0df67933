// An operation over space: it takes the result of a period, on the cells of a view that is reduced (field_view.hpp).
#pragma once

#include <string>
#include <vector>

#include "accumulator.hpp"
#include "field.hpp"

namespace sv::streams {

class SpaceOperation {
 public:
  virtual ~SpaceOperation() = default;

  /// Collective, once.
  virtual void prepare(sv_context *io) = 0;
  /// Of the result.
  virtual const std::vector<Axis> &axes() const = 0;
  /// The number of this rank's values.
  virtual size_t results() const = 0;
  /// How they are divided; nullptr: every rank has the whole result. The first axis of its grid is first_axis().
  virtual const sv_decomp *decomp() const = 0;
  virtual int first_axis() const = 0;
  /// The end of cell_methods: " lat: lon: mean", or nothing.
  virtual std::string cell_method() const = 0;

  /// Collective. Takes values of this rank's cells of the view, of this kind.
  virtual void take(sv_context *io, const void *values, const ValueKind &kind) = 0;
  /// Local, on any thread. Returns the results() values of the last take(), valid until the next one; missing, or NaN,
  /// where no value was valid.
  virtual const double *compute() = 0;
};

}  // namespace sv::streams
