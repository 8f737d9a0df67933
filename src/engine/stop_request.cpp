#include "engine/stop_request.hpp"

#include <string>

#include "base/error.hpp"

namespace sv {

namespace {

volatile std::sig_atomic_t caught_signal = 0;  // a process has one set of handlers, whatever contexts it has

extern "C" void note_signal(int number) { caught_signal = number; }

}  // namespace

void StopRequest::listen(int signal_number) {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  struct sigaction before {};
  if (sigaction(signal_number, &action, &before) != 0)
    throw Error(Status::invalid, "signal " + std::to_string(signal_number) + " cannot be caught", "Use SIGUSR1");
  if (signal_ == 0) before_ = before;
  signal_ = signal_number;
}

StopRequest::~StopRequest() {
  if (signal_ != 0) sigaction(signal_, &before_, nullptr);
}

DeafToStops::DeafToStops() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (size_t i = 0; i < signals_.size(); ++i)
    if (sigaction(signals_[i], nullptr, &before_[i]) == 0 && before_[i].sa_handler == SIG_DFL)
      sigaction(signals_[i], &ignore, nullptr);
}

DeafToStops::~DeafToStops() {
  for (size_t i = 0; i < signals_.size(); ++i) sigaction(signals_[i], &before_[i], nullptr);
}

bool StopRequest::is_asked() const { return asked_ || (signal_ != 0 && caught_signal == signal_); }

}  // namespace sv
