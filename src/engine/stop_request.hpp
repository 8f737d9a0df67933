// A request to stop: made by a call or by a signal, looked at when a step ends.
#pragma once

#include <array>
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

/// While it lives, the signals by which batch systems ask for an end (SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU) do nothing in
/// this process, unless somebody has a handler for them. Launchers send them to all ranks: models answer, and servers
/// must outlive them to write what the models still hand over. A model that dies of one ends its servers, too.
class DeafToStops {
 public:
  DeafToStops();
  DeafToStops(const DeafToStops &) = delete;
  ~DeafToStops();

 private:
  static constexpr std::array<int, 4> signals_ = {SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
  std::array<struct sigaction, signals_.size()> before_{};
};

}  // namespace sv
