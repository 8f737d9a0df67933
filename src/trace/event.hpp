// The record of one call: an Event, and its Arguments. The tracing code fills them in while the call runs, so nothing
// here allocates; a Recorder takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "trace/format.hpp"

namespace sv::trace {

/// The contents of an event, besides its path.
struct Event {
  int64_t start_ns = 0, duration_ns = 0;  // start: of now_ns()
  int64_t bytes = -1, offset = -1;
  uint32_t file = 0, variable = 0;
  bool failed = false;
};

/// Arguments of an event, collected without allocating; those beyond its room are dropped and the last group is cut.
class Arguments {
 public:
  void add(Argument kind, int64_t value) { add(kind, std::span(&value, 1)); }
  void add(Argument kind, std::span<const int64_t> values);
  std::span<const int64_t> words() const { return {words_, static_cast<size_t>(used_)}; }

 private:
  static constexpr int room = 70;  // ten slots
  int64_t words_[room];
  int used_ = 0;
};

}  // namespace sv::trace
