// Data sieving: many small runs are read with few large reads (Thakur, Gropp, Lusk 1999). Internal to the stores.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "store/file_runs.hpp"
#include "store/positional_file.hpp"

namespace sv {

class Sieve {
 public:
  /// Reads the runs of a slab into their places in `values`. Runs less than 4 KiB apart (what a system call costs) are
  /// read together, gaps included, through a buffer of at most 4 MiB that lives as long as this object. Error(format)
  /// when the file ends too early.
  void read(PositionalFile &file, FileRunCursor runs, std::span<std::byte> values, StoreCounters &counters);

 private:
  void read_group(PositionalFile &file, std::span<std::byte> values, StoreCounters &counters);
  std::vector<FileRun> group_;
  std::vector<std::byte> buffer_;
};

}  // namespace sv
