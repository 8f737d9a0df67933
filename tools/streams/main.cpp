// sv-streams: the plan of a run's streams as JSON. `sverdrup streams` calls it and prints tables (docs/streams.md).
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "streams/failure.hpp"
#include "streams/plan.hpp"
#include "support/ending.hpp"
#include "support/usage.hpp"

namespace {

using namespace sv::streams;

struct Options {
  std::string config, fields, begin, end, calendar;
  int64_t step_seconds = -1;
  int parts = 60;
};

std::string read(const std::string &path) {
  std::ifstream in(path);
  std::ostringstream all;
  all << in.rdbuf();
  if (!in || !all) throw std::runtime_error(path + ": the file cannot be read. Check the path");
  return all.str();
}

Time time_of(const std::string &text, const Calendar &calendar) {
  const std::optional<Date> date = date_in(text);
  if (!date)
    throw std::runtime_error("'" + text + "' is no date. Give, for example, 2001-01-31 or 2001-01-31T06:00:00");
  return calendar.time_of(*date);
}

nlohmann::ordered_json json_of(const PlannedVariable &variable) {
  nlohmann::ordered_json dims = nlohmann::ordered_json::object();
  for (const auto &[name, length] : variable.dims) dims[name] = length;
  return {{"name", variable.name},
          {"field", variable.field},
          {"operation", variable.operation},
          {"type", variable.type},
          {"dims", dims},
          {"bytes", variable.bytes},
          {"memory_bytes", variable.memory_bytes}};
}

nlohmann::ordered_json json_of(const PlannedStream &stream, const Calendar &calendar) {
  nlohmann::ordered_json made = {{"name", stream.name},
                                 {"place", stream.place},
                                 {"frequency", stream.frequency},
                                 {"record_bytes", stream.record_bytes},
                                 {"fixed_bytes", stream.fixed_bytes},
                                 {"memory_bytes", stream.memory_bytes},
                                 {"calendar", stream.calendar},
                                 {"variables", nlohmann::ordered_json::array()},
                                 {"files", nlohmann::ordered_json::array()}};
  for (const PlannedVariable &each : stream.variables) made["variables"].push_back(json_of(each));
  for (const PlannedFile &file : stream.files)
    made["files"].push_back({{"name", file.name},
                             {"records", file.records},
                             {"begin", calendar.text_of(file.begin)},
                             {"end", calendar.text_of(file.end)},
                             {"part", file.part},
                             {"first_part", file.first_part},
                             {"end_part", file.end_part},
                             {"steps", file.steps}});
  return made;
}

void run(const Options &options) {
  const Configuration configuration = parse_configuration(read(options.config), options.config);
  FieldList list = parse_field_list(read(options.fields), options.fields);
  const Calendar calendar(options.calendar.empty() ? list.calendar : options.calendar);
  if (options.begin.empty() && !list.begin)
    throw std::runtime_error(options.fields + " has no 'begin'. Give one, or --begin");
  const Time begin = options.begin.empty() ? calendar.time_of(*list.begin) : time_of(options.begin, calendar);
  const Time end = time_of(options.end, calendar);
  if (end <= begin)
    throw std::runtime_error("the run ends at " + calendar.text_of(end) + ", but begins at " + calendar.text_of(begin) +
                             ". Give a later --end");
  const int64_t step = options.step_seconds >= 0 ? options.step_seconds : list.step_seconds;
  nlohmann::ordered_json made = {{"calendar", calendar.name()},
                                 {"begin", calendar.text_of(begin)},
                                 {"end", calendar.text_of(end)},
                                 {"step_seconds", step},
                                 {"streams", nlohmann::ordered_json::array()}};
  for (const PlannedStream &each :
       plan_streams(configuration, list.fields, {&calendar, begin, end, step, options.parts}))
    made["streams"].push_back(json_of(each, calendar));
  std::cout << made.dump(1) << "\n";
}

int fail(const std::string &text) {
  std::cerr << "sv-streams: " << text << "\n";
  return sv_tools::exit_failure;
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{"Prints, as JSON, what the streams of a run will write. `sverdrup streams` prints it as tables.",
               "sv-streams"};
  sv_tools::print_usage(app);
  app.set_version_flag("--version", "sv-streams " SV_VERSION);
  app.add_option("CONFIG", options.config, "the YAML file with the section streams:")->required();
  app.add_option("--fields", options.fields, "the fields of the model: a file that a run wrote (SV_STREAM_FIELDS=FILE)")
      ->required();
  app.add_option("--end", options.end, "the date at which the run ends: 2001-12-31 or 2001-12-31T06:00:00")->required();
  app.add_option("--begin", options.begin, "the date at which it begins (that of the fields' file)");
  app.add_option("--calendar", options.calendar, "of CF (that of the fields' file)");
  app.add_option("--step", options.step_seconds,
                 "the length of a step in seconds; 0: it varies (that of the fields' file)");
  app.add_option("--parts", options.parts, "the parts of the run for which records are counted (60)")
      ->check(CLI::Range(1, 10000));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return sv_tools::ended("sv-streams", sv_tools::parse_failure(app, error));
  }
  int status = sv_tools::exit_success;
  try {
    run(options);
  } catch (const Failure &failure) {
    status = fail(std::string(failure.what()) + ". " + failure.remedy);
  } catch (const ReportedFailure &) {
    status = fail(sv_message());
  } catch (const std::exception &error) {
    status = fail(error.what());
  }
  return sv_tools::ended("sv-streams", status);
}
