// What the process's file descriptors mean, and where in the file a plain read or write would begin. Known without
// system calls, as long as the descriptors come from calls that are seen here; others are looked up once.
#pragma once

#include <atomic>
#include <cstdint>

#include "trace/recorder.hpp"

namespace sv::profile {

/// An open file, that several descriptors may share.
struct Description {
  uint32_t file = 0;  // its number in the trace
  bool appends = false;
  std::atomic<int> descriptors{0};   // that mean it
  std::atomic<int64_t> position{0};  // -1: unknown
  std::atomic<uint64_t> family{0};   // the position was known in this one (tracer/process.hpp)

  int64_t offset() const;
  void move_to(int64_t position);
  void move_by(int64_t bytes);
};

/// Of a traced file; nullptr: of something else, or of nothing. Valid while the descriptor is open.
Description *description_of(int descriptor);
/// The same without looking it up: nullptr also for what has not been used.
Description *known_description_of(int descriptor);
/// The same, of what was just opened: looked up anew, at its beginning.
Description *opened(trace::Recorder &recorder, int descriptor);
/// What was just opened is not traced.
void opened_untraced(int descriptor);
/// The descriptor is about to be closed, by whomever.
void closes(int descriptor);
void closes_all(unsigned first, unsigned last);
void duplicated(int from, int to);
/// The child of a fork: all descriptors are looked up anew when they are used.
void forget_descriptors();

}  // namespace sv::profile
