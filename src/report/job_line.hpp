// The line that a run leaves on stderr if its user asked for no other report. Values and their text; no MPI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sv {

/// The files that a run wrote: how many, and the first names.
struct WrittenFiles {
  int64_t files = 0, incomplete = 0;  // these were abandoned
  int64_t bytes = 0;                  // their sizes
  std::vector<std::string> names{};   // of the first three

  void add(const std::string &path, int64_t size, bool is_complete);
};

/// `bytes`: written by the run. `call_seconds`: inside the library's calls that write, of the rank with most.
/// `run_seconds`: from sv_init on.
struct JobCost {
  int64_t bytes = 0;
  double call_seconds = 0, run_seconds = 0;
};

/// "2 files, 4.3 GB in 12.1 s (356 MB/s), 8 % of the run: history.nc, restart.nc". Empty if no file was written.
std::string job_line(const WrittenFiles &written, const JobCost &cost);

}  // namespace sv
