#include "background.hpp"

#include <utility>

#include "quiet_arithmetic.hpp"

namespace sv::streams {

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Background::start(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    works_.push_back(std::move(work));
  }
  changed_.notify_all();
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
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
