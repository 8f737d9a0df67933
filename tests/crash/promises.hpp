// The promises of a run about its files so far, from its marks (mark.hpp).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "disk.hpp"
#include "truth.hpp"

namespace svcrash {

/// How far a file is: versions follow each other, and so do the records of one.
struct Extent {
  int version = -1;  // -1: there need not be a file
  int64_t records = 0;
  auto operator<=>(const Extent &) const = default;
};
std::string text_of(const Extent &extent);

struct FileStory {
  bool of_streams = false, published = false, counted = false, nothing = false, when_closed = false, killed = false;
  int64_t first = 0;
  int pieces = 0;
  std::map<int, Version> versions;
  Extent begun, committed, durable;
  std::vector<Extent> complete;  // a marker may exist next to a file with these contents
  bool marker_after_kill = false, marker_after_power_loss = false;  // it must

  const Extent &floor(Crash crash) const { return crash == Crash::kill ? committed : durable; }
  /// Whether records beyond the floor must be right, too, where they are counted.
  bool all_right(Crash crash) const { return crash == Crash::kill || counted; }
  bool must_have_marker(Crash crash) const {
    return crash == Crash::kill ? marker_after_kill : marker_after_power_loss;
  }
  /// Nothing is promised of its present contents.
  bool is_unpromised(Crash crash) const {
    return nothing || ((when_closed || (killed && crash == Crash::power)) && !must_have_marker(crash));
  }
  uint64_t hash() const;
};

struct Promises {
  Sizes sizes;
  std::map<std::string, FileStory> files;
  int64_t streams_from = -1;  // the step from which streams can continue; -1: there are none

  void hear(const std::string &line);
  uint64_t hash() const;
  /// Whether anything is promised after this crash.
  bool promise(Crash crash) const;
};

}  // namespace svcrash
