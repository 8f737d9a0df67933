// What one rank counted, how ranks' counts become one summary, and how that is shown. Values; no MPI.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sv {

/// The phases of Yang et al. 2020 (Tables 4-6): seconds per rank; shown as maximum and mean over PEs.
enum class Phase { open, read_meta, read, write, close };
constexpr int phases = 5;
std::string_view name_of(Phase phase);

/// Sums over one rank. A fixed-size block of numbers, so that ranks' blocks can be gathered as doubles and int64.
struct Metrics {
  std::array<double, phases> seconds{};
  double total_seconds = 0;  // since sv_init
  int64_t written_bytes = 0, read_bytes = 0;       // of the file system
  int64_t writes = 0, reads = 0;                   // system calls
  int64_t placed_bytes = 0;                        // into shared windows
  int64_t messages = 0, message_bytes = 0;         // sent
  int64_t out_of_range = 0;                        // values clamped in conversion
};

/// Adds the life of this object to a phase (not nested: the outermost counts).
class PhaseTimer {
 public:
  PhaseTimer(Metrics &metrics, Phase phase);
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer &) = delete;

 private:
  Metrics &metrics_;
  Phase phase_;
  double start_;
  bool outermost_;
};

/// What is told about a file.
struct FileReport {
  std::string path, format, kind, route, reason;
  int io_nx = 0, io_ny = 0;  // 0: none
  int writers = 0;
  int64_t bytes = 0, records = 0;
  std::string outcome;  // "complete", "abandoned: ..."
};

struct Summary {
  std::string version, mpi, transport, transport_reason, host;
  int ranks = 0, nodes = 0;
  int64_t window_bytes_per_node = 0;
  std::string settings_json;         // an object, as settings_json() gives it
  std::vector<FileReport> files;
  std::vector<Metrics> per_rank;     // of all ranks
  std::string error;                 // "" when all went well
};

/// The whole summary as JSON: {"sverdrup", "ranks", "nodes", "settings", "files":[...], "phases": {"open": {"max","mean"},
/// ..., "total"}, "bytes": {...}, "writes": ..., "messages": ..., ...}.
std::string to_json(const Summary &summary);
/// The table printed at the end: plain text, at most 100 columns.
std::string to_table(const Summary &summary);

}  // namespace sv
