// Data sieving: many small runs are read with few large reads (Thakur, Gropp, Lusk 1999). Internal to the stores.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "store/file_runs.hpp"
#include "store/positional_file.hpp"

namespace sv {

/// They take as long to copy as a call of the system.
constexpr int64_t bytes_of_a_call = 4 << 10;

class Sieve {
 public:
  /// For a file that is being written: unwritten bytes read as zeros beyond its end, too, as they do before.
  void holes_are_zeros(bool they_are) { holes_are_zeros_ = they_are; }
  /// Reads runs (FileRunCursor, FileRunList) into their places from `values` on. Those that are near each other are
  /// read together, gaps included, through a buffer of at most 4 MiB that lives as long as this object: where the gap
  /// is less than 4 KiB, which take as long to copy as a call of the system; on one host's own file system, where the
  /// gap and the next run are, which is copied twice so. Error(format) when the file ends too early, unless holes are
  /// zeros.
  template <class Runs>
  void read(PositionalFile &file, Runs runs, std::byte *values, StoreCounters &counters) {
    begin();
    for (FileRun run{}; runs.next(run);) add(file, run, values, counters);
    end(file, values, counters);
  }
  /// The same run by run: begin (add*) end.
  void begin() { group_.clear(); }
  void add(PositionalFile &file, const FileRun &run, std::byte *values, StoreCounters &counters) {
    if (!joins(file, run)) end(file, values, counters);
    group_.push_back(run);
  }
  void end(PositionalFile &file, std::byte *values, StoreCounters &counters);

 private:
  bool joins(const PositionalFile &file, const FileRun &run);
  void read_all(PositionalFile &file, int64_t offset, std::span<std::byte> bytes, StoreCounters &counters) const;
  bool holes_are_zeros_ = false;
  std::optional<bool> is_shared_;  // the file system, once that has been asked
  std::vector<FileRun> group_;
  std::vector<std::byte> buffer_;
};

}  // namespace sv
