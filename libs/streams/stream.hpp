// A stream of a run: its fields with their accumulators, and the periods that
// it has written. Collective where a period ends.
#pragma once

#include <memory>
#include <optional>

#include "background.hpp"
#include "output.hpp"
#include "stream_files.hpp"

namespace sv::streams {

/// Its outputs have the same periods, one after the other.
class Stream {
 public:
  /// Collective. `io`: nullptr in a plan. Throws Failure where the stream does not go together with the
  /// fields, which must stay where they are, as the weights must.
  Stream(sv_context *io, const StreamRequest &request, const Calendar &calendar, std::vector<Field> &fields,
         WeightsStore &weights);

  /// Whether its periods are counted in steps, from the beginning of the run
  /// that began anew.
  bool counts_steps() const { return request_.frequency.unit == Frequency::Unit::steps; }
  bool has_period_end(Time time) const { return periods_->ends_at(time); }
  Time end_after(Time time) const { return periods_->end_after(time); }
  /// The name of the file with the records of these dates.
  std::string name_of_file(Time first, Time last) const;
  /// The date of a record, and of the end of its file; nothing: a series or one file.
  Time date_of(Time begin, Time end) const { return has_bounds_ ? begin : end; }
  std::optional<Time> file_end(Time date) const;
  /// Whether a record is of a period, and not of its end.
  bool has_bounds() const { return has_bounds_; }
  /// Whether a run that continues at this time needs more than the values of the steps that follow.
  bool needs_state(Time time) const { return counts_steps() || (has_bounds_ && !has_period_end(time)); }
  /// Local. The first period begins now, or has begun if `time` is within it.
  /// `step`: seconds; 0: they vary.
  void begin(Time time, Time steps_origin, int64_t step);
  /// Makes the series of files. `continues`: an earlier run may have made some of them.
  void define(sv_context *io, bool continues);
  /// Collective, before begin(): divides the outputs among the ranks, and reads what they need. Where a thread writes
  /// the files, and all outputs are products, `background` computes them: then a record is put by the first call of a
  /// later step.
  void prepare(sv_context *io, Background &background);
  /// Whether the values of an output are needed at the end of a step.
  static bool wants(const Output &output, Time end) { return !output.is_instant() || output.end <= end; }
  /// The step of a field from field.sent to `end`. `number`: of the output.
  void take(sv_context *io, size_t number, Time end, const void *values);
  /// Throws Failure(SV_EORDER) unless all fields were sent at the ends of their periods until `time`.
  void check_complete(Time time) const;
  /// Puts the record whose results are computed in the background, if there is one.
  void put_waiting();
  void sync();
  void close();

  const std::string &name() const { return request_.name; }
  std::vector<Output> &outputs() { return outputs_; }

 private:
  void add_referenced(sv_context *io, size_t number, const std::vector<Selected> &selected, std::vector<Field> &fields,
                      WeightsStore &weights);
  void add_static(Output &&output);
  void check_axes_of_request() const;
  void check_step(const Output &output, Time end) const;
  void select(const Output &output);

  struct Waiting {
    size_t output;
    Result result;
  };
  StreamRequest request_;
  const Calendar *calendar_;
  TimeAxis time_;
  bool has_bounds_ = false;
  std::optional<Periods> periods_, file_periods_;
  std::vector<Output> outputs_;
  std::optional<StreamFiles> files_;
  std::optional<Time> selected_;      // the end of the period of the last record
  Background *background_ = nullptr;  // or each call computes its results
  std::vector<Waiting> waiting_;      // of the last record, which begins at
  Time begin_of_waiting_ = 0;
};

}  // namespace sv::streams
