#include "state.hpp"

#include <map>
#include <utility>

#include "failure.hpp"

namespace sv::streams {

namespace {

constexpr const char *run_attribute = "sverdrup_streams";
constexpr int64_t format = 1;
enum { format_place, now_place, origin_place, run_numbers };
enum { begin_place, sent_place, accumulators_place };

std::string name_of(const Stream &stream, const Output &output) { return stream.name() + "." + output.request.name; }

/// Of an accumulator's array. The first accumulator has no number.
std::string name_of(const std::string &output, size_t accumulator, const Part &part) {
  const std::string number = accumulator == 0 ? std::string() : '.' + std::to_string(accumulator);
  return output + number + '.' + part.name;
}

void put_values(sv_file *file, int var, const Output &output, const double *values) {
  const sv_decomp *const decomp = output.view->decomp();
  must(decomp != nullptr ? sv_put(file, var, decomp, SV_NO_RECORD, SV_DOUBLE, values, nullptr)
                         : sv_put_var(file, var, SV_NO_RECORD, SV_DOUBLE, values, nullptr));
}

void get_values(sv_file *file, int var, const Output &output, double *values) {
  const sv_decomp *const decomp = output.view->decomp();
  must(decomp != nullptr ? sv_get(file, var, decomp, SV_NO_RECORD, SV_DOUBLE, values, nullptr)
                         : sv_get_var(file, var, SV_NO_RECORD, SV_DOUBLE, values, nullptr));
}

/// The beginning of the period, the end of the last step, and of each accumulator the seconds and steps.
std::vector<int64_t> numbers_of(const Output &output) {
  std::vector<int64_t> numbers = {output.begin, output.field->sent};
  for (const Accumulator &each : output.accumulators) numbers.insert(numbers.end(), {each.seconds(), each.steps()});
  return numbers;
}

class StateWriter {
 public:
  explicit StateWriter(sv_file *file) : file_(file) {}

  void define(std::vector<Stream> &streams, const StateFacts &facts) {
    const int64_t run[run_numbers] = {format, facts.now, facts.steps_origin};
    must(sv_put_att(file_, SV_GLOBAL, run_attribute, SV_INT64, run_numbers, run));
    must(sv_put_att_text(file_, SV_GLOBAL, "date", facts.calendar->text_of(facts.now).c_str()));
    must(sv_put_att_text(file_, SV_GLOBAL, "calendar", facts.calendar->name().c_str()));
    for_outputs(streams, [&](Stream &stream, Output &output) {
      const std::string name = name_of(stream, output);
      const std::vector<int64_t> numbers = numbers_of(output);
      must(sv_put_att(file_, SV_GLOBAL, name.c_str(), SV_INT64, std::ssize(numbers), numbers.data()));
      for_parts(output, [&](size_t number, Part &part) { define_part(name_of(name, number, part), output); });
    });
    must(sv_enddef(file_));
  }

  void put(std::vector<Stream> &streams) {
    size_t next = 0;
    for_outputs(streams, [&](Stream &, Output &output) {
      for_parts(output, [&](size_t, Part &part) { put_values(file_, vars_[next++], output, part.values.data()); });
    });
  }

 private:
  template <class Use>
  static void for_outputs(std::vector<Stream> &streams, const Use &use) {
    for (Stream &stream : streams)
      for (Output &output : stream.outputs())
        if (!output.is_static()) use(stream, output);
  }
  /// Only those of accumulators that have taken a step in the period.
  template <class Use>
  static void for_parts(Output &output, const Use &use) {
    for (size_t i = 0; i < output.accumulators.size(); ++i)
      if (output.accumulators[i].steps() != 0)
        for (Part &part : output.accumulators[i].parts()) use(i, part);
  }

  void define_part(const std::string &name, const Output &output) {
    std::vector<int> dims;
    for (const Axis &axis : output.view->axes()) dims.push_back(dim_of(axis));
    int var = -1;
    must(sv_def_var(file_, name.c_str(), SV_DOUBLE, static_cast<int>(dims.size()), dims.data(), &var));
    if (output.view->decomp() != nullptr) must(sv_def_var_decomp_dim(file_, var, output.view->first_axis()));
    vars_.push_back(var);
  }

  /// Parts of one axis may have different lengths.
  int dim_of(const Axis &axis) {
    const std::string name = axis.name + "_" + std::to_string(axis.length);
    const auto [at, is_new] = dims_.try_emplace(name, -1);
    if (is_new) must(sv_def_dim(file_, name.c_str(), axis.length, &at->second));
    return at->second;
  }

  sv_file *file_;
  std::vector<int> vars_;
  std::map<std::string, int> dims_;
};

}  // namespace

void save_state(sv_context *io, const std::string &path, const StateFacts &facts, std::vector<Stream> &streams) {
  sv_file *file = nullptr;
  must(sv_create(io, path.c_str(), SV_CLOBBER | SV_PUBLISHED | SV_64BIT_DATA | SV_LITERAL, &file));
  try {
    StateWriter writer(file);
    writer.define(streams, facts);
    writer.put(streams);
  } catch (...) {
    sv_abort(file);  // the error that led here is the one to report
    throw;
  }
  must(sv_close(file));
}

SavedState::SavedState(sv_context *io, const std::string &path, const StateFacts &facts, bool is_needed)
    : path_(path), now_(facts.now) {
  const int status = sv_open(io, path.c_str(), SV_NOWRITE | SV_LITERAL, &file_);
  if (status == SV_ENOTFOUND) {
    file_ = nullptr;
    if (!is_needed) return;
    throw Failure(SV_ENOTFOUND,
                  path + ": the run continues from " + facts.calendar->text_of(facts.now) +
                      ", but nothing was saved at this date, and a period is incomplete",
                  "Continue from a date of sv_save_streams, or begin a new run; the key "
                  "'state' names the files");
  }
  must(status);
  int type = 0;
  int64_t count = 0, run[run_numbers] = {0, 0, 0};
  if (sv_inq_att(file_, SV_GLOBAL, run_attribute, &type, &count) == SV_OK && count == run_numbers)
    must(sv_get_att(file_, SV_GLOBAL, run_attribute, SV_INT64, run));
  if (run[format_place] != format || run[now_place] != facts.now)
    throw Failure(SV_EFORMAT, path + ": this is no state of streams at " + facts.calendar->text_of(facts.now),
                  "Is the calendar another one, or the key 'state' the name of "
                  "another file?");
  steps_origin_ = run[origin_place];
}

void SavedState::restore(Stream &stream) {
  for (Output &output : stream.outputs()) {
    if (output.is_static()) continue;
    const std::string name = name_of(stream, output);
    int type = 0;
    int64_t count = 0;
    const bool is_known = sv_inq_att(file_, SV_GLOBAL, name.c_str(), &type, &count) == SV_OK;
    if (!is_known && !stream.needs_state(now_)) continue;
    std::vector<int64_t> numbers(accumulators_place + 2 * output.accumulators.size());
    if (!is_known || count != std::ssize(numbers))
      throw Failure(SV_EDEFINE,
                    path_ + ": field '" + output.field->name + "' of stream '" + stream.name() +
                        "' was not saved, and its period is incomplete",
                    "Change streams only where their periods end, or begin a new run");
    must(sv_get_att(file_, SV_GLOBAL, name.c_str(), SV_INT64, numbers.data()));
    output.begin = numbers[begin_place];
    output.field->sent = numbers[sent_place];
    for (size_t i = 0; i < output.accumulators.size(); ++i)
      restore_sums(output, i, name, {numbers[accumulators_place + 2 * i], numbers[accumulators_place + 2 * i + 1]});
  }
}

void SavedState::restore_sums(Output &output, size_t number, const std::string &name, const Saved &saved) {
  if (saved.steps == 0) return;
  output.accumulators[number].restore(saved.seconds, saved.steps);
  for (Part &part : output.accumulators[number].parts()) {
    int var = -1;
    must(sv_inq_varid(file_, name_of(name, number, part).c_str(), &var));
    if (output.view->decomp() != nullptr) must(sv_def_var_decomp_dim(file_, var, output.view->first_axis()));
    get_values(file_, var, output, part.values.data());
  }
}

void SavedState::close() {
  sv_file *const file = std::exchange(file_, nullptr);
  if (file != nullptr) must(sv_close(file));
}

}  // namespace sv::streams
