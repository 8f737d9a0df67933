#include "case.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "input.hpp"

namespace sv_plan {

namespace {

using nlohmann::json;

constexpr int64_t page_bytes = 4096, most_cells = int64_t{1} << 40, most_number = int64_t{1} << 31;
constexpr int64_t most_outputs = 1000000, most_case_ranks = 1000000, most_variables = 100000;
constexpr double most_compute_seconds = 1e9, most_case_bytes = 0x1p60;  // of a step, of a file
constexpr int64_t header_of_variable = 120;                             // with a few attributes

[[noreturn]] void refuse(const std::string &cause) {
  throw sv::Error(sv::Status::config, cause,
                  "sv-bench writes cases with --describe; docs/prediction.md describes them");
}

int64_t number_of(const json &object, const char *name, int64_t least, int64_t most, int64_t otherwise) {
  if (!object.contains(name)) return otherwise;
  const json &value = object.at(name);
  if (!value.is_number_integer() || value.get<int64_t>() < least || value.get<int64_t>() > most)
    refuse(std::string("'") + name + "' is " + value.dump() + ", but it is a whole number from " +
           std::to_string(least) + " to " + std::to_string(most));
  return value.get<int64_t>();
}

int64_t bytes_of_type(const std::string &type) {
  static const std::map<std::string, int64_t> types{{"double", 8}, {"int64", 8}, {"uint64", 8}, {"float", 4},
                                                    {"int", 4},    {"uint", 4},  {"short", 2},  {"ushort", 2},
                                                    {"byte", 1},   {"ubyte", 1}, {"char", 1}};
  const auto found = types.find(type);
  if (found == types.end()) refuse("'" + type + "' is no type of a variable");
  return found->second;
}

CaseVariable variable_of(const json &entry) {
  CaseVariable variable;
  int64_t cells = 1;
  for (const json &length : entry.at("shape")) {
    if (!length.is_number_integer() || length.get<int64_t>() < 1 || length.get<int64_t>() > most_cells / cells)
      refuse("a shape has lengths of at least 1, and at most 2^40 cells, not " + entry.at("shape").dump());
    cells *= length.get<int64_t>();
    if (variable.shape.n == sv::max_dims) refuse("a shape has too many dimensions: " + entry.at("shape").dump());
    variable.shape.push(length.get<int64_t>());
  }
  if (variable.shape.n < 2)
    refuse("the ranks divide two dimensions, and the shape " + entry.at("shape").dump() + " has fewer");
  variable.element_bytes = bytes_of_type(entry.at("type").get<std::string>());
  variable.count = number_of(entry, "count", 1, most_variables, 1);
  variable.records = number_of(entry, "records", 0, most_outputs, 0);
  return variable;
}

/// Ascending steps, one for each output of the file.
std::vector<int64_t> after_of(const json &list, const CaseFile &file, int64_t steps) {
  std::vector<int64_t> after;
  for (const json &step : list) {
    if (!step.is_number_integer() || step.get<int64_t>() < (after.empty() ? 1 : after.back()) ||
        step.get<int64_t>() > steps)
      refuse("'after' of the file '" + file.name + "' has steps from 1 to " + std::to_string(steps) +
             ", ascending, not " + step.dump());
    after.push_back(step.get<int64_t>());
  }
  if (static_cast<int64_t>(after.size()) != file.outputs())
    refuse("'after' of the file '" + file.name + "' has " + std::to_string(after.size()) + " steps for " +
           std::to_string(file.outputs()) + " outputs");
  return after;
}

void check_size(const CaseFile &file) {
  double bytes = 0;
  int64_t variables = 0;
  for (const CaseVariable &each : file.variables) {
    bytes +=
        static_cast<double>(each.slab_bytes()) * static_cast<double>(each.count * std::max<int64_t>(1, each.records));
    variables += each.count;
  }
  if (variables > most_variables || bytes > most_case_bytes)
    refuse("the file '" + file.name + "' has more than " + std::to_string(most_variables) +
           " variables, or 2^60 bytes");
}

CaseFile file_of(const json &entry, int64_t steps) {
  CaseFile file;
  file.name = entry.at("name").get<std::string>();
  file.reads = entry.value("reads", false);
  file.reading = entry.value("reading", std::string());
  file.times = number_of(entry, "times", 1, most_number, 1);
  for (const json &variable : entry.at("variables")) file.variables.push_back(variable_of(variable));
  if (file.variables.empty()) refuse("the file '" + file.name + "' has no variables");
  check_size(file);
  if (file.outputs() > most_outputs)
    refuse("the file '" + file.name + "' has " + std::to_string(file.outputs()) + " outputs, and at most " +
           std::to_string(most_outputs) + " are predicted");
  if (entry.contains("after")) file.after = after_of(entry.at("after"), file, steps);
  return file;
}

void read_case_layout(const json &layout, Case &what) {
  const auto x = layout.at(0).get<int64_t>(), y = layout.at(1).get<int64_t>();
  if (x < 1 || y < 1 || x > most_case_ranks || y > most_case_ranks / x)
    refuse("'layout' has numbers of ranks in x and in y, not " + layout.dump());
  what.px = static_cast<int>(x);
  what.py = static_cast<int>(y);
}

Case case_of(const json &document) {
  Case what;
  what.workload = document.at("workload").get<std::string>();
  what.ranks = static_cast<int>(number_of(document, "ranks", 1, most_case_ranks, 1));
  if (document.contains("layout")) read_case_layout(document.at("layout"), what);
  what.ranks_per_node = static_cast<int>(number_of(document, "ranks_per_node", 1, most_case_ranks, what.ranks));
  what.steps = number_of(document, "steps", 1, most_number, 1);
  what.compute_seconds = document.value("compute_seconds", 0.0);
  if (!(what.compute_seconds >= 0 && what.compute_seconds <= most_compute_seconds))
    refuse("'compute_seconds' is from 0 to 1e9, not " + document.at("compute_seconds").dump());
  int64_t outputs = 0;
  for (const json &file : document.at("files")) {
    outputs += what.files.emplace_back(file_of(file, what.steps)).outputs();
    if (outputs > most_outputs) refuse("all files have more than " + std::to_string(most_outputs) + " outputs");
  }
  return what;
}

int64_t up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

int64_t CaseFile::records() const {
  int64_t most = 0;
  for (const CaseVariable &variable : variables) most = std::max(most, variable.records);
  return most;
}

int64_t CaseFile::outputs() const { return times * std::max<int64_t>(1, records()); }

int64_t CaseFile::bytes() const {
  int64_t sum = 0;
  for (const CaseVariable &v : variables) sum += v.slab_bytes() * v.count * std::max<int64_t>(1, v.records);
  return sum;
}

Case read_case(const std::string &path) {
  const std::string text = input_text(path, "the case", "Name a case, which sv-bench --describe writes");
  try {
    return case_of(json::parse(text));
  } catch (const json::exception &error) {
    throw sv::Error(sv::Status::config, std::string("is no case: ") + error.what(), "sv-bench --describe writes cases")
        .in_file(path);
  } catch (sv::Error &error) {
    throw error.in_file(path);
  }
}

CaseExtents::CaseExtents(const CaseFile &file) {
  constexpr int64_t reserve_bytes = 4096, word = 4;
  int64_t header = 512;
  for (const CaseVariable &variable : file.variables) header += variable.count * header_of_variable;
  int64_t at = header_ = up(header + reserve_bytes, page_bytes);
  run_of_.resize(file.variables.size());
  for (const bool of_record : {false, true}) {
    if (of_record) records_begin_ = at;
    for (size_t v = 0; v < file.variables.size(); ++v) {
      const CaseVariable &variable = file.variables[v];
      if ((variable.records > 0) != of_record) continue;
      run_of_[v] = runs_.size();
      runs_.push_back({at, up(variable.slab_bytes(), word), variable.count, of_record});
      at += runs_.back().each * variable.count;
    }
  }
  record_bytes_ = at - records_begin_;
  records_ = file.records();
}

int64_t CaseExtents::offset(size_t variable, int64_t number, int64_t record) const {
  const Run &run = runs_[run_of_[variable]];
  return run.begin + number * run.each + (run.of_record ? record * record_bytes_ : 0);
}

sv::Extent CaseExtents::covering(int64_t offset_bytes) const {
  if (offset_bytes < header_) return {0, header_};
  int64_t record = 0, at = offset_bytes;
  if (record_bytes_ > 0 && at >= records_begin_) {
    record = std::min((at - records_begin_) / record_bytes_, records_ - 1);
    at -= record * record_bytes_;
  }
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), at,
                                      [](int64_t offset, const Run &run) { return offset < run.begin; });
  const Run &run = *(after - 1);
  const int64_t number = std::min((at - run.begin) / run.each, run.count - 1);
  const int64_t begin = run.begin + number * run.each + record * record_bytes_;
  return {begin, begin + run.each};
}

}  // namespace sv_plan
