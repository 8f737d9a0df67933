#include "forecast.hpp"

#include <algorithm>
#include <map>

namespace sv_plan {

namespace {

using sv::real;

// What opening (definitions, which are compared) and closing a file takes of a put, beside what storage takes.
constexpr double opening_calls = 2, closing_calls = 2;

/// Adds up a run on one machine.
class Adding {
 public:
  Adding(const CaseCounts &counts, const sv::Machine &machine)
      : counts_(counts), machine_(machine), put_(sv::put_seconds(counts.computing, machine)) {}

  void add(const FileCounts &file) {
    if (file.reads) return add_read(file);
    if (file.fields.empty()) return;
    counts_.servers > 0 ? add_served(file) : add_written(file);
  }
  Forecast result();

 private:
  void add_read(const FileCounts &file);
  void add_written(const FileCounts &file);
  void add_served(const FileCounts &file);
  void add_moving(const sv::PhaseSeconds &phases, double number);

  const CaseCounts &counts_;
  const sv::Machine &machine_;
  const double put_;  // beside the bytes: what every collective call of the library takes
  Forecast sum_;
  double computed_ = 0;
  std::map<std::string, double> limits_;  // seconds that each decided
};

/// Each reader its part; where the machine does not tell rates, reading takes no time.
void Adding::add_read(const FileCounts &file) {
  double seconds = 0;
  if (machine_.read_bytes_per_second > 0) seconds = file.bytes / file.readers / machine_.read_bytes_per_second;
  if (machine_.storage_read_bytes_per_second > 0)
    seconds = std::max(seconds, file.bytes / machine_.storage_read_bytes_per_second);
  const double turns = std::min(counts_.computing_on_node, machine_.cores_per_node);
  sum_.open += file.times * (machine_.open_seconds + machine_.open_seconds_per_rank * (file.readers - 1));
  sum_.read += file.times * (seconds + file.most_node_reads * machine_.read_seconds / turns);
  if (file.by_itself) return;
  sum_.open += file.times * opening_calls * put_;
  sum_.close += file.times * closing_calls * put_;
  sum_.read += file.times * file.collective_calls * real(file.steps) * put_;
}

void Adding::add_moving(const sv::PhaseSeconds &phases, double number) {
  sum_.pack += number * phases.pack;
  sum_.send += number * phases.send;
  sum_.write += number * phases.write;
  limits_[phases.limit] += number * phases.transfer;
}

void Adding::add_written(const FileCounts &file) {
  sv::PhaseSeconds last;
  double written = 0;
  for (const FieldCounts &field : file.fields) {
    last = sv::predict(field.counts, machine_, static_cast<int64_t>(written));
    written += field.number * real(field.counts.bytes);
    add_moving(last, file.times * field.number);
    sum_.blocked += file.times * field.number * (last.transfer + put_);
  }
  // The end of a step commits its records.
  if (file.steps > 1) sum_.blocked += file.times * real(file.steps) * (machine_.write_seconds + put_);
  sum_.open += file.times * (last.open + opening_calls * put_);
  sum_.close += file.times * (last.close + closing_calls * put_);
}

void Adding::add_served(const FileCounts &file) {
  const double gates = put_ * (file.collective_calls + 2),
               compute = file.steps == counts_.steps ? counts_.compute_seconds : 0;
  const sv::ServedRun run{static_cast<int>(file.steps), compute + gates, counts_.server_memory_bytes,
                          file.step.most_placed_bytes};
  const sv::PhaseSeconds phases = sv::predict(file.step, machine_);
  const sv::ServedSeconds served = sv::predict_served(file.step, machine_, run);
  const double steps = real(file.steps);
  add_moving(phases, file.times * steps);
  sum_.open += file.times * phases.open;
  sum_.blocked += file.times * (served.model - phases.open - steps * compute);
  sum_.close += file.times * (served.total - served.model);
  computed_ += file.times * steps * compute;
}

Forecast Adding::result() {
  double longest = -1;
  for (const auto &[limit, seconds] : limits_) {
    if (seconds <= longest) continue;
    longest = seconds;
    sum_.limit = limit;
  }
  const double computing = std::max(computed_, real(counts_.steps) * counts_.compute_seconds);
  sum_.total = sum_.open + computing + sum_.blocked + sum_.read + sum_.close;
  sum_.writers = counts_.writers;
  sum_.cores = counts_.computing + counts_.servers;
  return sum_;
}

}  // namespace

Forecast forecast(const CaseCounts &counts, const sv::Machine &machine) {
  Adding adding(counts, machine);
  for (const FileCounts &file : counts.files) adding.add(file);
  return adding.result();
}

}  // namespace sv_plan
