#include "base/thread.hpp"

#include <pthread.h>

#include <condition_variable>
#include <csignal>
#include <ctime>
#include <mutex>
#include <system_error>
#include <utility>

namespace sv {

namespace {

/// While it lives, the threads that this one makes handle no signals of the program: a model's handler would find
/// itself in a thread that the model does not know. Those that an instruction of the thread itself causes, and those of
/// profilers, stay.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int own : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGPROF, SIGSEGV, SIGSYS, SIGTRAP, SIGXFSZ})
      sigdelset(&blocked, own);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

 private:
  sigset_t before_;
};

}  // namespace

bool Thread::begin(const char *name, Body body) {
  const SignalsBlocked blocked;
  try {
    thread_ = std::jthread([name, own = std::move(body)](const std::stop_token &stop) {
      pthread_setname_np(pthread_self(), name);
      own(stop);
    });
  } catch (const std::system_error &) {
    return false;
  }
  return true;
}

double Thread::processor_seconds() const {
  clockid_t clock = 0;
  timespec time{};
  if (!has_begun() || pthread_getcpuclockid(thread_.native_handle(), &clock) != 0) return 0;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool stops_within(const std::stop_token &stop, std::chrono::nanoseconds time) {
  // All of it is on the stack: in a child that a fork makes, memory that only this thread knows would be lost.
  std::mutex mutex;
  std::condition_variable wake;
  const std::stop_callback notify(stop, [&] {
    const std::lock_guard lock(mutex);
    wake.notify_one();
  });
  std::unique_lock lock(mutex);
  return wake.wait_for(lock, time, [&] { return stop.stop_requested(); });
}

}  // namespace sv
