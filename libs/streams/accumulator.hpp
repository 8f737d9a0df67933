// The sums and extremes that a stream keeps of a field during a period. All
// arithmetic is per cell, in double precision and in the order of time, so that
// the result has the same bits for any number of ranks. A field's array
// includes its halo, which is treated as cells are and never written.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels.hpp"
#include "operation.hpp"

namespace sv::streams {

/// The values of a field in memory.
struct ValueKind {
  int type;          // enum sv_type
  bool has_missing;  // a value is missing where it is equal to `missing`, or
                     // both are NaN
  double missing;
};

inline bool is_missing(const ValueKind &kind, double value) {
  return kind.has_missing && (value == kind.missing || (value != value && kind.missing != kind.missing));
}

/// One of the arrays of an accumulator, by a name that saved states contain.
struct Part {
  const char *name;
  std::vector<double> values;
};

class Accumulator {
 public:
  /// Not for Operation::instant. Takes memory for the cells with the first step.
  Accumulator(Operation operation, const ValueKind &kind, size_t cells);

  /// `values`: as many as there are cells, of the field's type. `seconds`: the
  /// length of the step.
  void add(const void *values, int64_t seconds) { add_step(values, seconds, false); }
  /// The same for the last step of a period; finish() then has no work. The cells stay in the cache in between.
  void add_last(const void *values, int64_t seconds) { add_step(values, seconds, true); }
  /// The result of all steps so far, with `missing` where no value was valid;
  /// valid until begin(). NaN where the field has no missing values and no
  /// result either.
  const double *finish();
  /// Forgets all steps.
  void begin() { seconds_ = steps_ = 0, is_finished_ = false; }

  int64_t seconds() const { return seconds_; }
  int64_t steps() const { return steps_; }
  /// For saving, after a step and before finish(); for restoring, after restore().
  std::vector<Part> &parts() { return parts_; }
  void restore(int64_t seconds, int64_t steps);
  /// Of memory, once there was a step.
  int64_t bytes() const;

 private:
  void allocate();
  void clear(size_t begin, size_t end);
  void add_step(const void *values, int64_t seconds, bool is_last);
  template <class Value>
  void add_piece(const Value *values, size_t begin, size_t end, double weight);
  template <class Value>
  void add_cells(const Value *values, size_t begin, size_t end, double weight);
  template <class Value, class IsValid>
  void add_valid(const Cells<Value, IsValid> &cells, double weight);
  void finish_cells(size_t begin, size_t end);
  void fill_missing(size_t begin, size_t end);
  double *part(size_t i) { return parts_[i].values.data(); }

  Operation operation_;
  ValueKind kind_;
  size_t cells_;
  int64_t seconds_ = 0, steps_ = 0;
  bool is_finished_ = false;  // by its last step
  std::vector<Part> parts_;
};

}  // namespace sv::streams
