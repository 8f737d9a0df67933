// The three lines that a run leaves on stderr if its user asked for no other report. Values and their text; no MPI.
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

/// The seconds are of the rank with most.
struct JobCost {
  int64_t bytes = 0, writes = 0;  // by the run, and in how many system calls; 0 writes: servers made them
  double call_seconds = 0;        // inside the library's calls that write
  double run_seconds = 0;         // from sv_init on
  double opening_seconds = 0;     // of call_seconds: opening and closing files
  double waiting_seconds = 0;     // of call_seconds: for memory of threads or servers
  bool is_asynchronous = false;   // threads or servers write while the model computes
  bool combines = false;          // combine: step
};

/// The written files; their time, and its share of the run; and the change that would save most. Empty if no file was
/// written:
///   2 files, 4.3 GB: history.nc, restart.nc
///   12.1 s in output calls (356 MB/s), 8 % of the run
///   async: threads would write while the model computes, and save up to 11.8 s
std::vector<std::string> job_lines(const WrittenFiles &written, const JobCost &cost);

}  // namespace sv
