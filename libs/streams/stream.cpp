#include "stream.hpp"

#include "failure.hpp"

namespace sv::streams {

Stream::Stream(const StreamRequest &request, const Calendar &calendar, std::vector<Field> &fields)
    : request_(request), calendar_(&calendar), time_(calendar, request.time_units, request.place) {
  for (const Selected &one : select_fields(request, fields)) {
    Output made{one.request, one.view, &fields[one.field], std::nullopt, 0, 0};
    if (one.request.operation != Operation::instant) {
      made.accumulator.emplace(one.request.operation, made.field->kind, made.field->cells);
      has_bounds_ = true;
    }
    outputs_.push_back(std::move(made));
  }
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
  std::vector<VariableRequest> variables;
  for (const Output &output : outputs_) variables.push_back({output.field, &output.view, &output.request});
  file_.emplace(io, *calendar_, time_, has_bounds_);
  file_->define(request_, variables);
}

void Stream::take(size_t number, Time end, const void *values) {
  Output &output = outputs_[number];
  check_step(output, end);
  if (output.accumulator) output.accumulator->add(values, end - output.field->sent);
  if (end < output.end) return;
  select(output);
  if (output.accumulator) {
    file_->put(number, SV_DOUBLE, output.accumulator->finish());
    output.accumulator->begin();
  } else {
    file_->put(number, output.field->kind.type, values);
  }
  output.begin = end;
  output.end = periods_->end_after(end);
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
