// A request to stop: made by a call or by a signal, looked at when a step ends.
#pragma once

#include <array>
#include <csignal>
#include <map>

namespace sv {

class StopRequest {
 public:
  StopRequest() = default;
  StopRequest(const StopRequest &) = delete;
  /// Gives the signals back that no other context listens to.
  ~StopRequest();

  void ask() { asked_ = true; }
  /// This signal requests a stop from now on, and so do those of earlier calls: its handler, one for the whole process,
  /// only counts. Throws Error(invalid) if it is no signal that can be caught.
  void listen(int signal_number);
  bool is_asked() const;

 private:
  bool asked_ = false;
  std::map<int, unsigned> signals_;  // how often each had come before
};

/// While it lives, the signals by which batch systems ask for an end (SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU) do nothing in
/// this process, unless somebody has a handler for them. Launchers send them to all ranks: models answer, and servers
/// must outlive them to write what the models still hand over. A model that dies of one ends its servers, too.
class BlockSignals {
 public:
  BlockSignals();
  BlockSignals(const BlockSignals &) = delete;
  ~BlockSignals();

 private:
  static constexpr std::array<int, 4> signals_ = {SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
  std::array<struct sigaction, signals_.size()> before_{};
};

}  // namespace sv
