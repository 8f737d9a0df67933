// The traced process: the calls to record, and whether it is still the original process (not a fork).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/recorder.hpp"

namespace sv::profile {

/// From the environment, when the library is loaded; lives for ever.
struct Settings {
  bool active = false;
  std::string directory;              // SV_TRACE_DIRECTORY
  int64_t ring_bytes = 32 << 20;      // SV_TRACE_BYTES
  std::vector<std::string> patterns;  // SV_TRACE_FILES: shell wildcards, separated by colons
  int64_t began_ns = 0;               // CLOCK_MONOTONIC
};
const Settings &settings();

/// The recorder of this process, made at its first use, anew after a fork; nullptr: nothing is to be recorded
/// (SV_TRACE_DIRECTORY is not set, the folder cannot be written (said once on stderr), or the thread is inside the
/// tracer).
trace::Recorder *recorder();
/// recorder(), but nullptr as well where none has been made yet.
trace::Recorder *known_recorder();
/// Whether the calls of this thread are recorded at present.
bool is_tracing();

/// While one exists in a thread, what it calls is not recorded: the tracer's own calls.
class Unseen {
 public:
  Unseen();
  ~Unseen();
  Unseen(const Unseen &) = delete;
  Unseen &operator=(const Unseen &) = delete;
};

/// Grows by one with each fork, in the child.
uint64_t generation();
/// Grows with each fork or vfork, in the parent and in the child: since then others may have moved positions in files.
uint64_t family();

/// What happens to the process, as tracer/life.cpp and tracer/programs.cpp see it. The library has been loaded; the
/// process is about to fork, and this is the child of that; it is about to vfork.
void starts();
void forks();
void forked();
void vforks();
/// It is about to end, or to run another program; `stays`: that failed.
void ends();
void stays();

}  // namespace sv::profile
