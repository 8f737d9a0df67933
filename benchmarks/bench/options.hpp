// The options that all workloads have.
#pragma once

#include <string>
#include <vector>

namespace sv_bench {

struct Options {
  std::string directory = ".";
  int repeat = 7;
  std::string json;                    // path; empty: none
  std::string describe;                // path; empty: it is measured
  std::string device;                  // "500MB/s,0.5ms"; empty: none
  bool durable = false;                // a run lasts until what it wrote is on the disk
  bool memory = false;                 // measures memory instead of time
  bool mpi_threads = false;            // threads may call MPI
  std::vector<std::string> only{"*"};  // names of methods, with shell wildcards
  std::vector<std::string> settings;   // "key=value", for Sverdrup

  int run = 0;  // a number that no other run on this machine has: OMPIO's semaphores bear the last part of a path only

  bool selects(const std::string &name) const;
  /// The path of the file of this method.
  std::string file(const std::string &method) const;
};

}  // namespace sv_bench
