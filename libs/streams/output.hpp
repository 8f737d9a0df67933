// A field in a stream: the part that is written, the operations over time and space, and the current period. Values go
// through condition, view or interpolation, accumulators and an operation over space, in this order. A field without
// time has a view alone.
#pragma once

#include <memory>

#include "interpolation.hpp"
#include "remapping.hpp"
#include "selection.hpp"

namespace sv::streams {

/// Values to put: `values` of enum sv_type `type`.
struct Result {
  int type;
  const void *values;
};

struct Output {
  /// Collective. `io`: nullptr in a plan. Throws Failure(SV_ECONFIG), with the place.
  Output(sv_context *io, const Selected &selected, std::vector<Field> &fields, WeightsStore &weights);
  /// Collective, once.
  void prepare(sv_context *io);

  bool is_static() const { return field->is_static; }
  bool is_instant() const { return accumulators.empty(); }
  /// What a record has, besides time; known after prepare().
  std::vector<Axis> axes() const;
  /// nullptr: each rank has the whole result. Its grid begins at first_axis().
  const sv_decomp *decomp() const { return space ? space->decomp() : view->decomp(); }
  int first_axis() const {
    return (space ? space->first_axis() : view->first_axis()) + (request.parts_a_day > 1 ? 1 : 0);
  }
  /// Whether results may be missing.
  bool has_missing() const { return kind.has_missing || weights != nullptr; }
  int64_t memory_bytes() const;
  /// CF's attribute.
  std::string cell_methods() const;

  /// A step from field->sent to `now` of an operation over a period.
  void add(Time now, const void *values, const Calendar &calendar);
  /// Whether the result takes long to compute, and result() may do so while the next periods begin.
  bool is_product() const { return weights != nullptr && accumulators.size() <= 1; }
  /// Collective. Takes the terms of the result of the period that ends `now`. `values`: of the field.
  void finish(sv_context *io, Time now, const void *values, const Calendar &calendar);
  /// Local, once after finish(), on any thread if it is_product(), otherwise before restart(). The result, valid until
  /// the next call.
  Result result();

  /// Begins the period that follows, until `next`.
  void restart(Time now, Time next);
  /// Of a field without time; valid until the next call.
  Result constant() { return {kind.type, view->gather(kind.type, field->constant.data())}; }

  FieldRequest request;
  Field *field;
  ValueKind kind;  // of the values that the operations take
  double missing;  // of results
  std::unique_ptr<FieldView> view;
  std::unique_ptr<Interpolation> interpolation;  // or none
  std::unique_ptr<Condition> condition;          // or none
  std::unique_ptr<SpaceOperation> space;         // or none
  const Weights *weights = nullptr;              // if it is a remapping
  std::vector<Accumulator> accumulators;         // none: instant; several: of parts of the day
  Time begin = 0, end = 0;                       // of the period

 private:
  void add_space(sv_context *io, std::vector<Field> &fields, WeightsStore &weights);
  const void *select(Time now, const void *values, const Calendar &calendar);
  /// Where results may be NaN, in place of missing ones.
  bool has_nan() const { return condition || interpolation || weights != nullptr; }
  size_t results() const { return space ? space->results() : view->cells(); }

  Result finished_{};  // values that no operation over space takes
  std::vector<double> results_;
};

/// Whether `to`, without time, can be named in an attribute of `from` in their file: its axes are some of the other's.
/// `is_bounds`: except its last axis, the vertices of a cell.
bool can_refer(const Output &from, const Output &to, bool is_bounds);

/// Throws Failure(SV_ECONFIG) where two outputs of a stream need different axes or coordinates of one name.
void check_axes(const std::vector<Output> &outputs);

}  // namespace sv::streams
