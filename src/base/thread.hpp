// A thread that an object owns, and the rules for all of them: it has a name that debuggers and top show, the program's
// signals are not handled in it, and its owner's destructor asks it to stop and waits for it. Everything in the library
// that needs a thread has one of these, or a base/worker.hpp. It makes no MPI calls by itself.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

namespace sv {

/// One owner, which alone calls these. The last member of its owner, so that it ends before what it uses.
class Thread {
 public:
  /// Returns soon after it is asked to stop. Must not throw.
  using Body = std::function<void(const std::stop_token &stop)>;

  /// Begins the thread. `name`: of at most 15 characters. False where the system gives no thread: the owner then does
  /// the work itself, or goes without it. The floating-point environment is that of the caller (base/no_traps.hpp).
  [[nodiscard]] bool begin(const char *name, Body body);
  bool has_begun() const { return thread_.joinable(); }
  void ask_to_end() { thread_.request_stop(); }
  /// Asks it to end, and waits until it has; so does the destructor.
  void end() { thread_ = {}; }
  /// Of no thread where it has not begun.
  std::thread::id id() const { return thread_.get_id(); }
  /// For how long it has kept a processor busy; 0 where it has not begun.
  double processor_seconds() const;

 private:
  mutable std::jthread thread_;
};

/// In a thread: sleeps for so long, or until it is asked to stop. Whether it is.
bool stops_within(const std::stop_token &stop, std::chrono::nanoseconds time);

}  // namespace sv
