// The library's records of its own steps (Producer::library, Layer::step): the current activity of a rank or a server,
// and its beginning. The engine, the timers of the report and the transport put a Bracket around each step; threads
// that write may do so, too. No MPI.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trace/recorder.hpp"

namespace sv::trace {

/// Phases of calls (the first five); activities inside them; activities of servers. `send`: an event without duration.
enum class Doing {
  open,
  read_meta,
  read,
  write,
  close,
  pack,
  collect,
  reorder,
  scatter,
  output,
  wait,         // blocked: until the other ranks have come to a call, too
  wait_memory,  // the same: until servers have room
  wait_answer,  // the same: until servers have answered, or have received the data
  flush,
  end_step,
  receive,
  assemble,
  write_file,
  idle,
  sync,
  send
};
constexpr int doings = 21;
std::string_view name_of(Doing doing);

/// A file and one of its variables, by their numbers in the trace. 0: none.
struct Subject {
  uint32_t file = 0, variable = 0;
};

class Steps {
 public:
  /// Throws std::system_error, as Recorder does.
  explicit Steps(const Place &place);
  /// The trace is complete.
  ~Steps();
  Steps(const Steps &) = delete;
  Steps &operator=(const Steps &) = delete;

  Recorder &recorder() { return recorder_; }
  uint32_t number(Doing doing) const { return numbers_[static_cast<size_t>(doing)]; }
  /// The number of this process among all: in MPI_COMM_WORLD, where that is known.
  void name(int rank, int ranks);
  int rank() { return recorder_.header().rank; }
  /// Bytes of a put that rank `to` takes in, within what the thread is doing.
  void sent(Subject subject, int to, int64_t step, int64_t bytes);

  /// The numbers of the ranks that were given to sv_init, in their order. Set once, before others use it.
  std::vector<int> ranks;

 private:
  Recorder recorder_;
  std::array<uint32_t, doings> numbers_;
};

/// Does it from the beginning to the end of its life; `steps` nullptr: nothing is recorded. An exception that ends it
/// makes it a failure.
class Bracket {
 public:
  Bracket(Steps *steps, Doing doing, Subject subject = {});
  ~Bracket();
  Bracket(const Bracket &) = delete;
  Bracket &operator=(const Bracket &) = delete;

  void bytes(int64_t bytes) { event_.bytes = bytes; }
  void step(int64_t number) { step_ = number; }

 private:
  Steps *const steps_;
  Open open_;
  Event event_;
  int64_t step_ = -1;
  int exceptions_ = 0;  // that were on their way when it began
};

}  // namespace sv::trace
