// Writes a trace file (trace/format.hpp): the tracer has a Recorder for the calls that it sees, the library one for its
// own steps. All that it writes is shared memory of a mapped file, so records survive a kill of the process. No call
// allocates, blocks or makes a system call after opening, except a thread's first and the one that reserves the next
// part of the ring. Threads may use one Recorder at the same time. A handler of a signal that interrupts a call of it
// may call it too: then nothing is recorded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "trace/event.hpp"
#include "trace/format.hpp"

namespace sv::trace {

struct Place {
  std::string directory;  // made if it is missing
  Producer producer = Producer::tracer;
  int64_t ring_bytes = 32 << 20;  // at most
  int64_t began_ns = 0;           // of CLOCK_MONOTONIC, when the process began; 0: now
};

/// A call that begins, until end(). Path 0: it is not recorded.
struct Open {
  uint32_t path = 0;
  int64_t start_ns = 0;
};

class Tables;  // trace/tables.hpp: its data in this process

class Recorder {
 public:
  /// Creates DIRECTORY/HOST-PID-START.svtrace. Throws std::system_error, whose what() names the path, where that or its
  /// first parts cannot be had. The ring's rest is reserved as it is needed: where the disk is full then, events are
  /// counted as lost, totals go on.
  explicit Recorder(const Place &place);
  /// Unmaps; does not end(): a process without end() counts as killed.
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// Nanoseconds since the recorder was made.
  int64_t now_ns() const;
  /// Numbers of names; the same name has the same number. 0 where there is no room (the section counts it as lost).
  uint32_t function(Layer layer, std::string_view name);
  uint32_t file(std::string_view path);
  uint32_t variable(uint32_t file, int32_t id, std::string_view name);
  /// The path of `function` called within `caller` (no_caller: by the program).
  uint32_t path(uint32_t caller, uint32_t function);

  /// The calling thread enters a call of `function` within its current one; leaves the last one that it entered and
  /// records it. Both belong together, as brackets do.
  Open begin(uint32_t function);
  void end(const Open &open, const Event &event, const Arguments &arguments = {});
  /// Leaves it without recording it.
  void forget(const Open &open);
  /// Adds the known arguments to the thread's current call: they are in the file if the process is killed.
  void about(uint32_t file, uint32_t variable);
  /// The path of the call that the thread is in; no_caller.
  uint32_t current_path() const;
  /// Records an event without a bracket: `event` of `path`, by a thread or by none.
  void add(uint32_t path, const Event &event, const Arguments &arguments = {});
  /// A JSON object, about a file or none (0). Its number; -1 where there is no room.
  int64_t note(std::string_view json, uint32_t file = 0);

  Header &header();
  /// Recording is complete: the process ends, or stops recording. Later records move the end.
  void finish();

 private:
  Thread &thread() const;
  std::unique_ptr<Tables> tables_;
};

}  // namespace sv::trace
