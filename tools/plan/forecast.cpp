#include "forecast.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "prediction/served_clock.hpp"

namespace sv_plan {

namespace {

using sv::real;

// Opening (with definitions, which are compared) and closing a file, in puts, besides the time of the storage.
constexpr double opening_calls = 2, closing_calls = 2;

/// An output or an input of a file, and how many steps are computed before it.
struct Coming {
  int64_t computed;
  const FileCounts *file;
  int64_t number;  // of all such files
};

/// Sorted by time. The outputs of a file without times come evenly after the steps, its inputs before them. Puts after
/// a step precede reads for the next step.
std::vector<Coming> comings_of(const CaseCounts &counts) {
  std::vector<Coming> all;
  for (const FileCounts &file : counts.files) {
    const auto times = static_cast<int64_t>(file.times), outputs = times * file.steps;
    for (int64_t number = 0; number < outputs; ++number) {
      const int64_t share = counts.steps * (file.reads ? number : number + 1);
      const int64_t evenly = file.reads ? share / outputs : (share + outputs - 1) / outputs;
      all.push_back({file.after.empty() ? evenly : file.after[static_cast<size_t>(number)], &file, number});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Coming &a, const Coming &b) {
    return std::tie(a.computed, a.file->reads) < std::tie(b.computed, b.file->reads);
  });
  return all;
}

/// Adds up a run on one machine.
class Adding {
 public:
  Adding(const CaseCounts &counts, const sv::Machine &machine)
      : counts_(counts), machine_(machine), put_(sv::put_seconds(counts.computing, machine)) {}

  Forecast result();

 private:
  void add_read(const FileCounts &file);
  void add_written(const FileCounts &file);
  void add_handed_over();
  sv::PhaseSeconds handed_over(const sv::PlanCounts &step) const;
  void hand_over(const Coming &output, sv::ServedClock &clock);
  double reading_seconds(const FileCounts &file) const;
  void add_moving(const sv::PhaseSeconds &phases, double number);

  const CaseCounts &counts_;
  const sv::Machine &machine_;
  const double put_;  // seconds of every collective call of the library, besides its bytes
  Forecast sum_;
  int64_t handed_bytes_ = 0;              // to servers or threads
  std::map<std::string, double> limits_;  // seconds that each decided
};

/// Each reader reads its part, or whole buffers if it reads by itself; without rates of the machine, reading takes no
/// time.
double Adding::reading_seconds(const FileCounts &file) const {
  const double on_node = counts_.computing_on_node,
               turns = std::min(counts_.computing_on_node, machine_.cores_per_node);
  const double buffered = file.most_node_reads * read_buffer_bytes;  // on a node
  const double of_reader = file.by_itself ? buffered / turns : file.bytes / file.readers;
  const double of_all = file.by_itself ? buffered / on_node * file.readers : file.bytes;
  double seconds = 0;
  if (machine_.read_bytes_per_second > 0) seconds = of_reader / machine_.read_bytes_per_second;
  if (machine_.storage_read_bytes_per_second > 0)
    seconds = std::max(seconds, of_all / machine_.storage_read_bytes_per_second);
  seconds += (file.most_node_reads * machine_.read_seconds + file.most_node_rows * machine_.read_row_seconds) / turns;
  return file.by_itself ? seconds : seconds + file.collective_calls * real(file.steps) * put_;
}

void Adding::add_read(const FileCounts &file) {
  sum_.open += file.times * (machine_.open_seconds + machine_.open_seconds_per_rank * (file.readers - 1));
  sum_.read += file.times * reading_seconds(file);
  if (file.by_itself) return;
  sum_.open += file.times * opening_calls * put_;
  sum_.close += file.times * closing_calls * put_;
}

void Adding::add_moving(const sv::PhaseSeconds &phases, double number) {
  sum_.pack += number * phases.pack;
  sum_.compress += number * phases.compress;
  sum_.send += number * phases.send;
  sum_.write += number * phases.write;
  limits_[phases.limit] += number * phases.transfer;
}

void Adding::add_written(const FileCounts &file) {
  sv::PhaseSeconds last;
  double written = 0, behind = 0;
  for (const FieldCounts &field : file.fields) {
    last = sv::predict(field.counts, machine_, static_cast<int64_t>(written));
    written += field.number * real(field.counts.bytes);
    add_moving(last, file.times * field.number);
    sum_.blocked += file.times * field.number * (last.transfer + put_);
    behind = std::max(behind, last.behind);
  }
  sum_.blocked += file.times * real(file.commits) * behind;
  // The end of a step commits its records.
  if (file.steps > 1) sum_.blocked += file.times * real(file.steps) * (machine_.write_seconds + put_);
  sum_.open += file.times * (last.open + opening_calls * put_);
  sum_.close += file.times * (last.close + closing_calls * put_);
}

/// All files on one clock, with their reads: servers or threads write while the model does other work.
void Adding::add_handed_over() {
  sv::ServedClock clock(counts_.server_memory_bytes);
  int64_t computed = 0;
  double read = 0;
  const double opened = sum_.open;
  const auto compute_until = [&](int64_t step) {
    clock.pass(real(step - computed) * counts_.compute_seconds);
    computed = step;
  };
  for (const Coming &coming : comings_of(counts_)) {
    compute_until(coming.computed);
    if (!coming.file->reads) {
      hand_over(coming, clock);
      continue;
    }
    const double seconds = reading_seconds(*coming.file) / real(coming.file->steps);
    clock.pass(seconds);
    read += seconds;
  }
  compute_until(counts_.steps);
  sum_.blocked += clock.model() - read - (sum_.open - opened) - real(counts_.steps) * counts_.compute_seconds;
  sum_.close += std::max(0.0, clock.written() - clock.model());
}

/// With threads, messages travel within the call. Where all cores of a node compute, their writing takes its share of
/// them.
sv::PhaseSeconds Adding::handed_over(const sv::PlanCounts &step) const {
  sv::PhaseSeconds phases = sv::predict(step, machine_, handed_bytes_);
  if (counts_.writing != Writing::threads) return phases;
  phases.pack += std::exchange(phases.send, 0);
  if (counts_.computing_on_node >= machine_.cores_per_node)
    phases.pack += phases.write * machine_.writer_core_part / machine_.cores_per_node;
  return phases;
}

/// The fields of a step, one after the other. The first opens the file, and it is closed after the last.
void Adding::hand_over(const Coming &output, sv::ServedClock &clock) {
  const FileCounts &file = *output.file;
  const sv::PhaseSeconds phases = handed_over(file.step);
  if (output.number % file.steps == 0) {
    clock.pass(phases.open);
    sum_.open += phases.open;
  }
  clock.pass(put_ * (file.collective_calls + 2));
  // Servers begin with the first round, a thread when the ranks of its node have packed.
  clock.hand_over(phases, counts_.writing == Writing::threads ? 1 : file.step.rounds, file.step.most_placed_bytes);
  if ((output.number + 1) % file.steps == 0) clock.close(phases.close);
  handed_bytes_ += file.step.bytes;
  add_moving(phases, 1);
}

Forecast Adding::result() {
  for (const FileCounts &file : counts_.files) {
    if (file.reads) add_read(file);
    if (!file.reads && counts_.writing == Writing::calls) add_written(file);
  }
  if (counts_.writing != Writing::calls) add_handed_over();
  double longest = -1;
  for (const auto &[limit, seconds] : limits_) {
    if (seconds <= longest) continue;
    longest = seconds;
    sum_.limit = limit;
  }
  const double computing = real(counts_.steps) * counts_.compute_seconds;
  sum_.total = sum_.open + computing + sum_.blocked + sum_.read + sum_.close;
  sum_.writers = counts_.writers;
  sum_.cores = counts_.computing + counts_.servers;
  sum_.writing = counts_.writing;
  return sum_;
}

}  // namespace

Forecast forecast(const std::vector<CaseCounts> &alternatives, const sv::Machine &machine) {
  Forecast best = Adding(alternatives.front(), machine).result();
  for (const CaseCounts &alternative : alternatives) {
    Forecast each = Adding(alternative, machine).result();
    if (each.total < best.total) best = std::move(each);
  }
  return best;
}

}  // namespace sv_plan
