// The files of the process's descriptors, and the file position of a plain read or write. Known without system calls
// for descriptors of traced calls; others are looked up once.
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
/// The same without looking it up: nullptr also for an unused descriptor.
Description *known_description_of(int descriptor);
/// The same for a descriptor that was just opened: looked up anew, at its beginning.
Description *opened(trace::Recorder &recorder, int descriptor);
/// Marks a descriptor that was just opened as not traced.
void opened_untraced(int descriptor);
/// The descriptor is about to be closed, by any call.
void closes(int descriptor);
void closes_all(unsigned first, unsigned last);
void duplicated(int from, int to);
/// The child of a fork: all descriptors are looked up anew when they are used.
void forget_descriptors();

}  // namespace sv::profile
