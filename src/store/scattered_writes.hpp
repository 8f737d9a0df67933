// Writes of one file in any order, which become few: those that touch are joined, and small ones that are near each
// other, too. Internal to the stores: a store that has many writes at a time adds them to one, and empties it before
// any other access to the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/gather.hpp"

namespace sv {

class ScatteredWrites {
 public:
  /// `is_alone`: no other writer changes the file meanwhile. Then gaps of less than 4 KiB between small writes are
  /// read, and written as they are.
  void fill_gaps(bool is_alone) { fills_gaps_ = is_alone; }
  void clear();
  /// The values stay where they are until write(). Where writes overlap, the last one counts. Empties itself first,
  /// if it has as much as one call of the system may write.
  void add(PositionalFile &file, int64_t offset_bytes, std::span<const std::byte> values, StoreCounters &counters);
  /// Writes all in the order of the file, and is empty, also after an exception.
  void write(PositionalFile &file, StoreCounters &counters);

 private:
  struct Run {
    int64_t begin, end;  // in the file
    const std::byte *values;
    size_t number;  // in the order in which they came
  };
  /// Runs without a gap between them: [first, last) in the order of the file; or several of these, near each other.
  struct Stretch {
    size_t first, last;
    int64_t begin, end;
    bool is_plain;  // without gaps and overlaps
    int64_t bytes() const { return end - begin; }
  };
  Stretch stretch_from(size_t first) const;
  bool joins(const Stretch &one, const Stretch &next) const;
  void write(const Stretch &stretch, bool has_gaps, PositionalFile &file, StoreCounters &counters);

  std::vector<Run> runs_;
  int64_t bytes_ = 0;
  bool is_ordered_ = true, fills_gaps_ = false;
  Gather gather_;
  std::vector<std::byte> buffer_;
};

}  // namespace sv
