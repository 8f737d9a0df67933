#include "plan.hpp"

#include "number_type.hpp"
#include "stream.hpp"

namespace sv::streams {

namespace {

int64_t bytes_of_type(int type) {
  return with_type(type, [](auto zero) { return static_cast<int64_t>(sizeof zero); });
}

PlannedVariable variable_of(const Output &output) {
  const int type = output.request.storage.type.value_or(output.field->file_type);
  PlannedVariable made{output.request.name,
                       output.field->name,
                       facts_of(output.request.operation).name,
                       name_of_type(type),
                       {},
                       bytes_of_type(type),
                       0};
  for (const Axis &axis : output.axes()) {
    made.dims.emplace_back(axis.name, axis.length);
    made.bytes *= axis.length;
  }
  made.memory_bytes = output.memory_bytes();
  if (output.is_static()) made.operation = "";
  if (output.request.parts_a_day > 1) made.operation = "diurnal:" + std::to_string(output.request.parts_a_day);
  return made;
}

/// All complete periods of the run, as records of files.
void add_records(PlannedStream &to, const Stream &stream, const PlannedRun &run) {
  to.calendar.assign(static_cast<size_t>(run.parts), 0);
  Time begin = run.begin, first = begin;
  std::optional<Time> file_end;
  for (Time end = stream.end_after(begin); end <= run.end; begin = end, end = stream.end_after(end)) {
    const auto part_of = [&](Time time) { return (time - run.begin) * run.parts / (run.end - run.begin); };
    const int64_t part = part_of(end - 1);
    const Time date = stream.date_of(begin, end);
    if (const std::string name = stream.name_of_file(date, date);
        to.files.empty() || (file_end ? date >= *file_end : to.files.back().name != name)) {
      to.files.push_back({name, 0, begin, end, part, part_of(begin), 0});
      first = date;
      file_end = stream.file_end(date);
    }
    if (file_end) to.files.back().name = stream.name_of_file(first, date);
    ++to.files.back().records;
    if (run.step_seconds > 0) to.files.back().steps.push_back((end - run.begin) / run.step_seconds);
    to.files.back().end = end;
    to.files.back().end_part = part_of(end);
    ++to.calendar[static_cast<size_t>(part)];
  }
}

}  // namespace

std::vector<PlannedStream> plan_streams(const Configuration &configuration, std::vector<Field> &fields,
                                        const PlannedRun &run) {
  std::vector<PlannedStream> made;
  check_references(fields);
  for (Field &field : fields) field.sent = run.begin;
  WeightsStore weights;
  for (const StreamRequest &request : configuration.streams) {
    Stream stream(nullptr, request, *run.calendar, fields, weights);
    stream.begin(run.begin, run.begin, run.step_seconds);
    constexpr int64_t time_bytes = 8;  // and two times as bounds
    PlannedStream one{request.name, request.place, text_of(request.frequency), time_bytes, 0, 0, {}, {}, {}};
    if (stream.has_bounds()) one.record_bytes += 2 * time_bytes;
    for (const Output &output : stream.outputs()) {
      one.variables.push_back(variable_of(output));
      (output.is_static() ? one.fixed_bytes : one.record_bytes) += one.variables.back().bytes;
      one.memory_bytes += one.variables.back().memory_bytes;
    }
    add_records(one, stream, run);
    made.push_back(std::move(one));
  }
  return made;
}

}  // namespace sv::streams
