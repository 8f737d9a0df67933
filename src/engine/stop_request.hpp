// A request to stop: made by a call or by a signal, looked at when a step ends.
#pragma once

#include <csignal>

namespace sv {

class StopRequest {
 public:
  StopRequest() = default;
  StopRequest(const StopRequest &) = delete;
  /// Gives the signal back to whoever had it.
  ~StopRequest();

  void ask() { asked_ = true; }
  /// From now on this signal asks, in the whole process: its handler sets a flag and does nothing else. Throws
  /// Error(invalid) for what is no signal that can be caught.
  void listen(int signal_number);
  bool is_asked() const;

 private:
  bool asked_ = false;
  int signal_ = 0;
  struct sigaction before_ {};
};

/// While it lives, SIGUSR1 does nothing in this process, unless somebody has a handler for it. Launchers send it to all
/// ranks: models answer it, and servers must outlive it.
class DeafToStops {
 public:
  DeafToStops();
  DeafToStops(const DeafToStops &) = delete;
  ~DeafToStops();

 private:
  struct sigaction before_ {};
};

}  // namespace sv
