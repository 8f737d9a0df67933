#include "stream.hpp"

#include <algorithm>

#include "date_name.hpp"
#include "failure.hpp"
#include "file_stamp.hpp"

namespace sv::streams {

namespace {

bool has_field(const std::vector<Output> &outputs, const Field &field) {
  return std::any_of(outputs.begin(), outputs.end(), [&](const Output &each) { return each.field == &field; });
}

/// Whether a thread writes files of this name.
bool is_written_by_thread(sv_context *io, const std::string &path) {
  char mode[16] = "";
  size_t length = 0;
  must(sv_inq_setting(io, path.c_str(), "async.mode", &length, nullptr));
  if (length >= sizeof mode) return false;
  must(sv_inq_setting(io, path.c_str(), "async.mode", nullptr, mode));
  return std::string(mode) == "threads";
}

}  // namespace

Stream::Stream(sv_context *io, const StreamRequest &request, const Calendar &calendar, std::vector<Field> &fields,
               WeightsStore &weights)
    : request_(request), calendar_(&calendar), time_(calendar, request.time_units, request.place) {
  const std::vector<Selected> selected = select_fields(request, fields);
  size_t next = 0;
  const auto follow_references = [&] {
    for (; next < outputs_.size(); ++next) add_referenced(io, next, selected, fields, weights);
  };
  for (const Selected &one : selected) {
    if (fields[one.field].is_static) continue;
    outputs_.emplace_back(io, one, fields, weights);
    has_bounds_ = has_bounds_ || !outputs_.back().is_instant();
  }
  follow_references();
  for (const Selected &one : selected) {
    if (!has_field(outputs_, fields[one.field])) add_static(Output(io, one, fields, weights));
    follow_references();
  }
  check_axes(outputs_);
  check_axes_of_request();
}

void Stream::check_axes_of_request() const {
  for (const AxisRequest &request : request_.axes) {
    const auto has = [&](const Output &output) {
      const std::vector<Axis> axes = output.axes();
      return std::any_of(axes.begin(), axes.end(), [&](const Axis &axis) { return axis.name == request.axis; });
    };
    if (request.axis != "time" && std::none_of(outputs_.begin(), outputs_.end(), has))
      throw Failure(SV_ECONFIG, request.place + ": stream '" + name() + "' has no axis '" + request.axis + "'",
                    "Name axes of its fields, or 'time'");
  }
  const auto is_stamped = [](const AttributeRequest &each) { return has_stamp(each.text); };
  if (!request_.file_period && is_template(request_.file) &&
      std::any_of(request_.attributes.begin(), request_.attributes.end(), is_stamped))
    throw Failure(SV_ECONFIG,
                  request_.place + ": the files of a series have equal attributes, without {uuid} and {now}",
                  "Give the stream a 'file_period'");
}

std::string Stream::name_of_file(Time first, Time last) const {
  return request_.file_period ? name_at(request_.file, *calendar_, first, last)
                              : name_at(request_.file, *calendar_, first);
}

std::optional<Time> Stream::file_end(Time date) const {
  if (!file_periods_) return std::nullopt;
  return file_periods_->end_after(date);
}

/// Adds the fields without time to which an output refers: the same part of them. Those over axes that the output no
/// longer has are left out.
void Stream::add_referenced(sv_context *io, size_t number, const std::vector<Selected> &selected,
                            std::vector<Field> &fields, WeightsStore &weights) {
  for (const auto &[attribute, text] : outputs_[number].field->references) {
    if (has_attribute(outputs_[number].request, attribute)) continue;
    for (const auto &[key, name] : names_in(text)) {
      const Field &field = *static_field_named(fields, name);
      if (has_field(outputs_, field)) continue;
      Selected one{static_cast<size_t>(&field - fields.data()), {}};
      for (const Selected &each : selected)
        if (each.field == one.field) one = each;
      if (one.request.name.empty()) one.request.name = name;
      one.request.place = outputs_[number].request.place;
      one.request.part = outputs_[number].request.part;
      one.request.part.levels.clear();
      Output made(io, one, fields, weights);
      if (can_refer(outputs_[number], made, attribute == "bounds")) add_static(std::move(made));
    }
  }
}

void Stream::add_static(Output &&output) {
  const std::string &name = output.request.name;
  const auto has_name = [&](const Output &each) {
    const std::vector<Axis> axes = each.axes();
    return each.request.name == name ||
           std::any_of(axes.begin(), axes.end(), [&](const Axis &axis) { return axis.name == name; });
  };
  if (std::any_of(outputs_.begin(), outputs_.end(), has_name))
    throw Failure(SV_ECONFIG,
                  output.request.place + ": the stream has two variables '" + name + "', of which one has no time",
                  "Give the other one another name, with the key 'name'");
  outputs_.push_back(std::move(output));
}

void Stream::prepare(sv_context *io, Background &background) {
  for (Output &output : outputs_) output.prepare(io);
  waiting_.reserve(outputs_.size());  // the thread knows places in it
  const auto can_wait = [](const Output &each) { return each.is_static() || each.is_product(); };
  if (is_written_by_thread(io, request_.file) && std::all_of(outputs_.begin(), outputs_.end(), can_wait))
    background_ = &background;
}

void Stream::begin(Time time, Time steps_origin, int64_t step) {
  if (counts_steps() && step <= 0)
    throw Failure(SV_ECONFIG,
                  request_.place + ": stream '" + name() + "' has a frequency in steps, whose length varies",
                  "Give a frequency in seconds, minutes, hours, days, months or years");
  const Time origin = counts_steps() ? steps_origin : time_.reference();
  periods_.emplace(request_.frequency, *calendar_, origin, step);
  if (request_.file_period) file_periods_.emplace(*request_.file_period, *calendar_, origin, step);
  for (Output &output : outputs_) output.restart(time, periods_->end_after(time));
  const Time end = periods_->end_after(time);
  if (step > 0 && ((end - time) % step != 0 || (periods_->end_after(end) - end) % step != 0))
    throw Failure(SV_ECONFIG,
                  request_.place + ": the frequency of stream '" + name() + "' is not a multiple of the step of " +
                      std::to_string(step) + " seconds",
                  "Give one that is, and begin at the end of a step of it");
}

void Stream::define(sv_context *io, bool continues) {
  files_.emplace(io, StreamPeriods{calendar_, time_, *periods_, file_periods_, has_bounds_}, request_, outputs_);
  const auto first =
      std::find_if(outputs_.begin(), outputs_.end(), [](const Output &output) { return !output.is_static(); });
  files_->begin(first->begin, first->end, continues);
}

void Stream::take(sv_context *io, size_t number, Time end, const void *values) {
  if (selected_ < end) put_waiting();
  Output &output = outputs_[number];
  check_step(output, end);
  if (!output.is_instant()) output.add(end, values, *calendar_);
  if (end < output.end) return;
  select(output);
  output.finish(io, end, values, *calendar_);
  if (background_ != nullptr) {
    Waiting &made = waiting_.emplace_back(Waiting{number, {}});
    background_->start([&output, &made] { made.result = output.result(); });
  } else {
    const auto [type, result] = output.result();
    files_->put(number, type, result);
  }
  output.restart(end, periods_->end_after(end));
}

void Stream::put_waiting() {
  if (waiting_.empty()) return;
  background_->wait();
  files_->select(begin_of_waiting_, *selected_);
  for (const auto &[output, result] : waiting_) files_->put(output, result.type, result.values);
  waiting_.clear();
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
  begin_of_waiting_ = output.begin;
  selected_ = output.end;
  if (background_ == nullptr) files_->select(output.begin, output.end);
}

void Stream::check_complete(Time time) const {
  for (const Output &output : outputs_)
    if (!output.is_static() && output.end <= time)
      throw Failure(SV_EORDER,
                    "field '" + output.field->name + "' of stream '" + name() + "' was not sent at " +
                        calendar_->text_of(output.end),
                    "Send all fields of a stream at the end of its periods");
}

void Stream::sync() {
  put_waiting();
  files_->sync();
}

void Stream::close() {
  if (files_) files_->close();
}

}  // namespace sv::streams
