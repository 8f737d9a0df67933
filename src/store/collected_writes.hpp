// Small writes of one file that are delayed, to be written in the order of the file, adjacent ones together. Internal
// to the stores: a store that collects has one, and empties it before any other access to the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/gather.hpp"

namespace sv {

class CollectedWrites {
 public:
  bool is_empty() const { return runs_.empty(); }
  void clear() { runs_.clear(); }
  /// Where each call of the system has a price: more at a time.
  void keep_many();
  /// Copies values of a variable. False, and nothing has changed, if they are large, if there is no room for them, or
  /// if some of them would replace collected ones.
  bool take(int64_t offset_bytes, std::span<const std::byte> values, int variable);
  /// Writes all, and is empty, also after an exception.
  void write(PositionalFile &file, StoreCounters &counters);
  /// Of the last stretch that was written, or could not be: the variables that it begins and ends with.
  int first_variable() const { return first_variable_; }
  int last_variable() const { return last_variable_; }

 private:
  struct Run {
    int64_t begin, end;  // in the file
    size_t at;           // in values_
    int first_variable, last_variable;
  };

  std::vector<Run> runs_;  // in the order of the file, apart
  std::vector<std::byte> values_;
  size_t most_bytes_ = 1 << 20;  // of values: they are in the caches still when they are written
  Gather gather_;
  int first_variable_ = -1, last_variable_ = -1;
};

}  // namespace sv
