#include "run.hpp"

#include <algorithm>

#include "config_text.hpp"
#include "date_name.hpp"
#include "failure.hpp"
#include "field_list.hpp"
#include "quiet_arithmetic.hpp"

namespace sv::streams {

void Run::configure(const char *path) {
  const ConfigText config = read_config_text(io_, path);
  if (!config.path.empty() && config.text.substr(0, 1) != "&")  // a namelist file has no streams
    configuration_ = parse_configuration(config.text, config.path);
}

void Run::require_not_begun(const char *call) const {
  if (has_begun_)
    throw Failure(SV_EORDER, std::string(call) + " after sv_begin_streams", "Declare fields and streams before it");
}

void Run::keep(Field &&field) {
  names_.add(field);
  fields_.push_back(std::move(field));
}

int Run::define(const sv_stream_field &definition) {
  require_not_begun("sv_def_stream_field");
  keep(field_of(definition));
  return static_cast<int>(fields_.size()) - 1;
}

void Run::define_static(const sv_stream_field &definition, const void *values) {
  require_not_begun("sv_def_static_field");
  Field made = static_field_of(definition, values);
  if (values == nullptr && made.cells != 0) {
    must(sv_flush(io_, SV_HANDED_OVER));  // throws an error that a binding has reported with sv_refuse
    throw Failure(SV_EINVAL, "field '" + made.name + "': the values are a null pointer", "Pass this rank's array");
  }
  keep(std::move(made));
}

void Run::define_stream(const std::string &name, const std::string &keys) {
  require_not_begun("sv_def_stream");
  add_stream(configuration_, name, keys);
}

void Run::begin(const sv_stream_start &start) {
  if (has_begun_ || has_failed_) throw Failure(SV_EORDER, "sv_begin_streams a second time", "Call it once");
  calendar_ = std::make_unique<const Calendar>(start.calendar == nullptr ? "standard" : start.calendar);
  const int *const date = start.date;
  latest_ = steps_origin_ = calendar_->time_of({date[0], date[1], date[2], date[3], date[4], date[5]});
  for (Field &field : fields_) field.sent = latest_;
  check_references(fields_);
  for (const StreamRequest &request : configuration_.streams)
    streams_.emplace_back(io_, request, *calendar_, fields_, weights_);
  write_field_list(start);
  for (Stream &stream : streams_) stream.prepare(io_, background_);
  take_up(start);
  for (Stream &stream : streams_) stream.define(io_, start.continues != 0);
  uses_.resize(fields_.size());
  looks_.resize(fields_.size());
  for (Stream &stream : streams_)
    for (size_t i = 0; i < stream.outputs().size(); ++i) {
      const Output &output = stream.outputs()[i];
      if (output.is_static()) continue;
      uses_[static_cast<size_t>(output.field - fields_.data())].push_back({&stream, i});
      if (output.condition)
        looks_[static_cast<size_t>(&output.condition->on() - fields_.data())].push_back({&stream, i});
    }
  has_begun_ = true;
}

/// Where SV_STREAM_FIELDS names a file, for sv-streams.
void Run::write_field_list(const sv_stream_start &start) const {
  const FieldList list{fields_, calendar_->name(), calendar_->date_of(latest_), start.step_seconds};
  write_for_all(io_, "SV_STREAM_FIELDS", [&] { return text_of(list); });
}

/// Begins the periods of a new run, or continues those that were saved.
void Run::take_up(const sv_stream_start &start) {
  const auto begin_all = [&] {
    for (Stream &stream : streams_) stream.begin(latest_, steps_origin_, start.step_seconds);
  };
  begin_all();
  if (start.continues == 0 || streams_.empty()) return;
  const bool is_needed =
      std::any_of(streams_.begin(), streams_.end(), [&](const Stream &stream) { return stream.needs_state(latest_); });
  const std::string path = name_at(configuration_.state, *calendar_, latest_);
  SavedState saved(io_, path, {calendar_.get(), latest_, steps_origin_}, is_needed);
  if (!saved.is_open()) return;
  steps_origin_ = saved.steps_origin();
  begin_all();
  for (Stream &stream : streams_) saved.restore(stream);
  saved.close();
}

void Run::require_begun() const {
  if (!has_begun_) throw Failure(SV_EORDER, "a call on streams before sv_begin_streams", "Call it first");
  if (has_failed_)
    throw Failure(SV_EORDER, "a call on streams after an error", "End the run, or call sv_close_streams");
}

const std::vector<Run::Use> &Run::uses_of(int field) const {
  if (!has_begun_ || has_failed_) require_begun();
  if (field < 0 || static_cast<size_t>(field) >= uses_.size())
    throw Failure(SV_EINVAL, "there is no field " + std::to_string(field), "Use the numbers of sv_def_stream_field");
  return uses_[static_cast<size_t>(field)];
}

Time Run::time_of(const int date[6]) const {
  if (date == nullptr) throw Failure(SV_EINVAL, "the date is a null pointer", "See streams.h");
  if (!time_ || !std::equal(date_.begin(), date_.end(), date)) {
    time_ = calendar_->time_of({date[0], date[1], date[2], date[3], date[4], date[5]});
    std::copy(date, date + date_.size(), date_.begin());
  }
  return *time_;
}

bool Run::is_wanted(int field, const int date[6]) const {
  const std::vector<Use> &uses = uses_of(field), &looks = looks_[static_cast<size_t>(field)];
  if (uses.empty() && looks.empty()) return false;
  const Time end = time_of(date);
  const auto wants = [&](const Use &use) { return Stream::wants(use.stream->outputs()[use.output], end); };
  return std::any_of(uses.begin(), uses.end(), wants) || std::any_of(looks.begin(), looks.end(), wants);
}

void Run::send(int field, const int date[6], const void *values) {
  const std::vector<Use> &uses = uses_of(field);
  const std::vector<Use> &looks = looks_[static_cast<size_t>(field)];
  if (uses.empty() && looks.empty()) return;
  const QuietArithmetic quiet;
  Field &own = fields_[static_cast<size_t>(field)];
  const Time end = time_of(date);
  if (end <= own.sent)
    throw Failure(SV_EINVAL,
                  "field '" + own.name + "' was sent for " + calendar_->text_of(own.sent) + ", and then for " +
                      calendar_->text_of(end),
                  "Send a field once at the end of each step, with its date");
  if (values == nullptr && own.cells != 0) {
    must(sv_flush(io_, SV_HANDED_OVER));  // throws an error that a binding has reported with sv_refuse
    throw Failure(SV_EINVAL, "field '" + own.name + "': the values are a null pointer", "Pass this rank's array");
  }
  for (const Use &look : looks) look.stream->outputs()[look.output].condition->look(end, values);
  for (const Use &use : uses) use.stream->take(io_, use.output, end, values);
  own.sent = end;
  latest_ = std::max(latest_, end);
}

void Run::save(const int date[6]) {
  require_begun();
  const Time now = time_of(date);
  if (now < latest_)
    throw Failure(
        SV_EINVAL,
        "sv_save_streams for " + calendar_->text_of(now) + ", but fields were sent for " + calendar_->text_of(latest_),
        "Pass the date of the last step");
  for (Stream &stream : streams_) {
    stream.check_complete(now);
    stream.sync();
  }
  const bool has_state = std::any_of(streams_.begin(), streams_.end(),
                                     [](const Stream &stream) { return stream.counts_steps() || stream.has_bounds(); });
  if (has_state)
    save_state(io_, name_at(configuration_.state, *calendar_, now), {calendar_.get(), now, steps_origin_}, streams_);
  if (!streams_.empty()) must(sv_flush(io_, SV_ON_DISK));
}

void Run::close() {
  std::exception_ptr first;
  for (Stream &stream : streams_) {
    try {
      if (!has_failed_) stream.put_waiting();
      stream.close();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
  if (!has_begun_ || has_failed_) return;
  for (const Stream &stream : streams_) stream.check_complete(latest_);
}

}  // namespace sv::streams
