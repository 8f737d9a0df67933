#include "stream.hpp"

#include "failure.hpp"

namespace sv::streams {

Stream::Stream(const StreamRequest &request, const Calendar &calendar, std::vector<Field> &fields)
    : request_(request), calendar_(&calendar), time_(calendar, request.time_units, request.place) {
  for (const Selected &one : select_fields(request, fields)) {
    outputs_.emplace_back(one, fields);
    has_bounds_ = has_bounds_ || !outputs_.back().is_instant();
  }
  check_axes(outputs_);
}

void Stream::prepare(sv_context *io) {
  for (Output &output : outputs_) output.prepare(io);
}

void Stream::begin(Time time, Time steps_origin, int64_t step) {
  if (counts_steps() && step <= 0)
    throw Failure(SV_ECONFIG,
                  request_.place + ": stream '" + name() + "' has a frequency in steps, whose length varies",
                  "Give a frequency in seconds, minutes, hours, days, months or years");
  const Time origin = counts_steps() ? steps_origin : time_.reference();
  periods_.emplace(request_.frequency, *calendar_, origin, step);
  for (Output &output : outputs_) {
    output.begin = time;
    output.end = periods_->end_after(time);
  }
  const Time end = periods_->end_after(time);
  if (step > 0 && ((end - time) % step != 0 || (periods_->end_after(end) - end) % step != 0))
    throw Failure(SV_ECONFIG,
                  request_.place + ": the frequency of stream '" + name() + "' is not a multiple of the step of " +
                      std::to_string(step) + " seconds",
                  "Give one that is, and begin at the end of a step of it");
}

void Stream::define(sv_context *io) {
  file_.emplace(io, *calendar_, time_, has_bounds_);
  file_->define(request_, outputs_);
}

void Stream::take(sv_context *io, size_t number, Time end, const void *values) {
  Output &output = outputs_[number];
  check_step(output, end);
  if (!output.is_instant()) output.add(end, values, *calendar_);
  if (end < output.end) return;
  select(output);
  const auto [type, result] = output.finish(io, end, values, *calendar_);
  file_->put(number, type, result);
  output.restart(end, periods_->end_after(end));
}

/// Values belong to one period: the step ends in it, or with it.
void Stream::check_step(const Output &output, Time end) const {
  if (end <= output.end) return;
  throw Failure(SV_EINVAL,
                "field '" + output.field->name + "': its step from " + calendar_->text_of(output.field->sent) + " to " +
                    calendar_->text_of(end) + " crosses the end of a period of stream '" + name() + "' at " +
                    calendar_->text_of(output.end),
                "Send the field at this time, too, or give the stream (" + request_.place +
                    ") a frequency that is a multiple of the step");
}

void Stream::select(const Output &output) {
  if (selected_ == output.end) return;
  if (selected_) check_complete(*selected_);
  file_->select(output.begin, output.end);
  selected_ = output.end;
}

void Stream::check_complete(Time time) const {
  for (const Output &output : outputs_)
    if (output.end <= time)
      throw Failure(SV_EORDER,
                    "field '" + output.field->name + "' of stream '" + name() + "' was not sent at " +
                        calendar_->text_of(output.end),
                    "Send all fields of a stream at the end of its periods");
}

void Stream::close() {
  if (file_) file_->close();
}

}  // namespace sv::streams
