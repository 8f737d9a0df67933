// The counts of one rank, their sum over all ranks as one summary, and its texts. The engine counts and gathers; here
// are only values and their texts, without MPI.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/speed_up.hpp"
#include "strategy/strategy.hpp"
#include "trace/steps.hpp"

namespace sv {

/// The phases of Yang et al. 2020 (Tables 4-6): seconds per rank; shown as maximum and mean over PEs.
enum class Phase { open, read_meta, read, write, close };
constexpr int phases = 5;
std::string_view name_of(Phase phase);

/// The steps of writing a distributed field: a rank packs its part; collects (waits for the parts of others); orders
/// points, as a primary, and passes them on (scatter: waits until they have arrived); writes.
enum class Step { pack, collect, reorder, scatter, output };
constexpr int writing_steps = 5;
std::string_view name_of(Step step);

/// Sums over one rank. A fixed-size block of numbers, so that ranks' blocks can be gathered.
struct Metrics {
  std::array<double, phases> seconds{};
  std::array<double, writing_steps> step_seconds{};  // of writing
  double total_seconds = 0;                          // since sv_init
  double model_seconds = 0;                          // until sv_finalize
  double waited_seconds = 0;                         // for memory of servers
  double behind_waited_seconds = 0;                  // for memory of values that are written after the calls
  double behind_seconds = 0;                         // of this rank's thread that writes behind its calls
  double behind_processor_seconds = 0;               // of that, what it kept a processor busy
  double served_receive_seconds = 0;                 // of the servers to which this rank sends commands: the largest
  double served_write_seconds = 0;                   // the same
  int64_t written_bytes = 0, read_bytes = 0;         // of the file system
  int64_t direct_bytes = 0;                          // of those written: past the page cache
  int64_t writes = 0, reads = 0;                     // system calls
  int64_t placed_bytes = 0;                          // into shared windows
  int64_t messages = 0, message_bytes = 0;           // sent
  int64_t out_of_range = 0;                          // values that did not fit their type
  int64_t moved_bytes = 0;                           // in files whose definitions changed
  int64_t requests = 0, combined_calls = 0;          // carried out together, and in how many calls
  int64_t buffered_bytes = 0;                        // of values that were copied: most at once
  StrategyCounts strategies;                         // of puts and gets: how each was written and read
  int64_t served_memory_bytes = 0;                   // held by one of these servers at most
  int running_timers = 0;                            // of PhaseTimer; this rank's own, never gathered
  trace::Steps *steps = nullptr;                     // where timers record, too; nullptr: nowhere. The same

  void buffered(int64_t bytes) { buffered_bytes = bytes > buffered_bytes ? bytes : buffered_bytes; }
};

/// A rank's counts as flat numbers, always of the same length, and back; exact up to 2^53 (9 PB) each. from_numbers
/// takes the numbers of one rank (std::invalid_argument otherwise), all_from_numbers those of many ranks, one after the
/// other.
std::vector<double> to_numbers(const Metrics &metrics);
Metrics from_numbers(std::span<const double> numbers);
std::vector<Metrics> all_from_numbers(std::span<const double> numbers);

/// Adds the life of this object to a phase. Of nested timers only the outermost counts, so that phases never overlap.
class PhaseTimer {
 public:
  PhaseTimer(Metrics &metrics, Phase phase, trace::Subject subject = {});
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer &) = delete;
  PhaseTimer &operator=(const PhaseTimer &) = delete;

 private:
  Metrics &metrics_;
  Phase phase_;
  double start_seconds_;
  trace::Bracket bracket_;
};

/// Adds what passes to steps of writing, one after the other.
class StepTimer {
 public:
  explicit StepTimer(Metrics &metrics, trace::Subject subject = {}) : metrics_(metrics), subject_(subject) {}
  ~StepTimer() { end(); }
  StepTimer(const StepTimer &) = delete;
  StepTimer &operator=(const StepTimer &) = delete;

  /// This step begins; the one before ends.
  void begin(Step step);
  void end();

 private:
  Metrics &metrics_;
  const trace::Subject subject_;
  std::optional<Step> step_;
  double since_seconds_ = 0;
  std::optional<trace::Bracket> bracket_;
};

/// Values of a variable that did not fit their type, in writing and reading: how many, the first, and its rank.
struct RangeErrorReport {
  std::string variable;
  int64_t values = 0;
  std::string first;
  int first_rank = 0;
};

/// The report of a file.
struct FileReport {
  std::string path, format, kind, route, reason;
  int io_nx = 0, io_ny = 0;  // 0: none
  int writers = 0;
  int64_t bytes = 0, records = 0;
  std::string outcome;                    // "complete", "abandoned: ..."
  int redefinitions = 0;                  // how often define mode was entered again
  int64_t moved_bytes = 0;                // of values, for that
  std::string store = {};                 // the store that wrote it
  std::vector<std::string> remarks = {};  // of the store: hints asked for and in force
  std::vector<RangeErrorReport> range_errors = {};
};

/// The files of a run that are not listed one by one.
struct OtherFiles {
  int64_t files = 0, incomplete = 0;  // these were abandoned
  int64_t bytes = 0, records = 0;
};

/// Of a run with servers.
struct ServersReport {
  int servers = 0;
  std::string forwarding;  // the policy in force, and who moves data between nodes
};

/// Where a run chooses whether its calls write, or threads behind them, or ranks kept ready: how what begins is
/// written.
struct ModeReport {
  std::string mode = "threads";
  std::string why;
  int changes = 0;
};

struct Summary {
  std::string version, mpi, transport, transport_reason, host;
  int ranks = 0, nodes = 0;
  int64_t window_bytes_per_node = 0;
  std::string settings_json;  // an object, as settings_json() gives it; "" = none
  std::vector<FileReport> files;
  std::vector<Metrics> per_rank;        // of all ranks
  std::string error;                    // "" when all went well
  ServersReport servers = {};           // none: 0
  OtherFiles others = {};               // that `files` leaves out
  int behind = 0;                       // ranks whose threads write behind the calls
  std::optional<ModeReport> mode = {};  // where the run chooses
};

/// Over all ranks: the largest, the mean, and the lowest rank that had the largest.
struct Spread {
  double max = 0, mean = 0;
  int max_rank = 0;
};
Spread spread_of(Phase phase, const std::vector<Metrics> &per_rank);
Spread spread_of(Step step, const std::vector<Metrics> &per_rank);
Spread spread_of_total(const std::vector<Metrics> &per_rank);
/// The input of the speed-up model.
OverlapTimes overlap_of(const Summary &summary);
/// The sum of a count over all ranks; the largest of any number.
int64_t sum_of(int64_t Metrics::*count, const std::vector<Metrics> &per_rank);
template <class Value>
Value most_of(Value Metrics::*value, const std::vector<Metrics> &per_rank) {
  Value most{};
  for (const Metrics &each : per_rank) most = std::max(most, each.*value);
  return most;
}

/// Of the calls by each strategy, those of the rank that made most.
StrategyCounts most_strategies(const std::vector<Metrics> &per_rank);

/// The whole summary as JSON: {"sverdrup", "ranks", "nodes", "settings", "files":[...], "other_files", "phases":
/// {"open": {"max", "mean", "max_rank"}, ..., "total"}, "writing": {"pack": {...}, ...}, "bytes": {"written", "read",
/// "placed", "sent"}, "writes", "reads", "messages", ...}; times in seconds.
std::string to_json(const Summary &summary);
/// The table printed at the end: plain text, at most 100 columns, whole lines.
std::string to_table(const Summary &summary);

}  // namespace sv
