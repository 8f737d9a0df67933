#include "background.hpp"

#include <pthread.h>

#include <csignal>
#include <system_error>
#include <utility>

#include "quiet_arithmetic.hpp"

namespace sv::streams {

namespace {

/// The program's signals are not handled in the thread, except those that its own instructions cause.
std::thread begun(const std::function<void()> &body) {
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (const int own : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGSEGV, SIGTRAP}) sigdelset(&blocked, own);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  std::thread made;
  try {
    made = std::thread([body] {
      pthread_setname_np(pthread_self(), "sv-products");
      body();
    });
  } catch (const std::system_error &) {  // the system gives none
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return made;
}

}  // namespace

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Background::start(std::function<void()> work) {
  if (!thread_.joinable()) thread_ = begun([this] { run(); });
  if (!thread_.joinable()) return work();
  {
    const std::lock_guard lock(mutex_);
    works_.push_back(std::move(work));
  }
  changed_.notify_all();
}

void Background::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return works_.empty(); });
  if (first_error_) std::rethrow_exception(std::exchange(first_error_, nullptr));
}

void Background::run() {
  const QuietArithmetic quiet;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_ending_ || !works_.empty(); });
    if (works_.empty()) return;
    const std::function<void()> &work = works_.front();  // places in a deque stay
    std::exception_ptr error;
    lock.unlock();
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (!first_error_) first_error_ = error;
    works_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace sv::streams
