#include "engine/stop_request.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "base/error.hpp"
#include "base/mutex.hpp"

namespace sv {

namespace {

constexpr int most_signals = 128;  // beyond SIGRTMAX

/// The number of arrivals of each signal. A process has one set of handlers for all contexts.
std::atomic<unsigned> arrivals[most_signals];
static_assert(std::atomic<unsigned>::is_always_lock_free, "a handler may use it");

extern "C" void note_signal(int number) { arrivals[number].fetch_add(1, std::memory_order_relaxed); }

/// The signals with listening contexts: the number of these, and the earlier handlers.
struct SignalCount {
  int listeners = 0;
  struct sigaction before {};
};
Mutex counts_mutex;
std::map<int, SignalCount> counts SV_GUARDED_BY(counts_mutex);

/// How often it had come before.
unsigned hear(int number) {
  const Error refused(Status::invalid, "signal " + std::to_string(number) + " cannot be caught", "Use SIGUSR1");
  if (number < 1 || number >= most_signals) throw Error(refused);
  const MutexLock lock(counts_mutex);
  const unsigned arrived = arrivals[number].load(std::memory_order_relaxed);
  SignalCount &own = counts[number];
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  struct sigaction before {};
  if (sigaction(number, &action, &before) != 0) {
    if (own.listeners == 0) counts.erase(number);
    throw Error(refused);
  }
  if (own.listeners++ == 0 || before.sa_handler != note_signal) own.before = before;
  return arrived;
}

/// The last one gives it back, unless the program has another handler for it by now.
void leave(int number) {
  const MutexLock lock(counts_mutex);
  const auto own = counts.find(number);
  if (own == counts.end() || --own->second.listeners > 0) return;
  struct sigaction now {};
  if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == note_signal)
    sigaction(number, &own->second.before, nullptr);
  counts.erase(own);
}

}  // namespace

void StopRequest::listen(int signal_number) {
  if (signals_.count(signal_number) == 0) signals_[signal_number] = hear(signal_number);
}

StopRequest::~StopRequest() {
  for (const auto &[number, before] : signals_) leave(number);
}

BlockSignals::BlockSignals() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (size_t i = 0; i < signals_.size(); ++i)
    if (sigaction(signals_[i], nullptr, &before_[i]) == 0 && before_[i].sa_handler == SIG_DFL)
      sigaction(signals_[i], &ignore, nullptr);
}

BlockSignals::~BlockSignals() {
  for (size_t i = 0; i < signals_.size(); ++i) sigaction(signals_[i], &before_[i], nullptr);
}

bool StopRequest::is_asked() const {
  return asked_ || std::any_of(signals_.begin(), signals_.end(), [](const auto &each) {
           return arrivals[each.first].load(std::memory_order_relaxed) != each.second;
         });
}

}  // namespace sv
