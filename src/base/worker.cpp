#include "base/worker.hpp"

#include <utility>

namespace sv {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Worker::~Worker() {
  {
    const MutexLock lock(mutex_);
    leaving_ = true;
  }
  wake_.notify_one();
}

std::thread::id Worker::begin() {
  const MutexLock lock(mutex_);
  static_cast<void>(has_thread());
  return thread_.id();
}

std::thread::id Worker::id() const {
  const MutexLock lock(mutex_);
  return thread_.id();
}

bool Worker::has_thread() {
  return thread_.has_begun() || thread_.begin(name_, [this](const std::stop_token &) { run(); });
}

void Worker::post(std::function<void()> task) {
  {
    const MutexLock lock(mutex_);
    tasks_.push_back(std::move(task));
    if (!has_thread() && !busy_)  // the busy thread carries out tasks that arrive meanwhile
      while (!tasks_.empty()) carry_out_first();
  }
  wake_.notify_one();
}

void Worker::hold_back(std::chrono::milliseconds time) {
  const MutexLock lock(mutex_);
  held_until_ = Clock::now() + time;
}

void Worker::go() {
  {
    const MutexLock lock(mutex_);
    held_until_ = {};
  }
  wake_.notify_one();
}

bool Worker::is_idle() const {
  const MutexLock lock(mutex_);
  return rests();
}

void Worker::wait() const {
  const MutexLock lock(mutex_);
  while (!rests()) rests_.wait(mutex_);
}

bool Worker::wait(std::chrono::milliseconds time) const {
  const Clock::time_point end = Clock::now() + time;
  const MutexLock lock(mutex_);
  while (!rests() && Clock::now() < end) rests_.wait_until(mutex_, end);
  return rests();
}

double Worker::busy_seconds() const {
  const MutexLock lock(mutex_);
  return busy_seconds_;
}

double Worker::processor_seconds() const {
  const MutexLock lock(mutex_);
  return thread_.processor_seconds();
}

void Worker::run() {
  const MutexLock lock(mutex_);
  while (true) {
    while (!leaving_ && tasks_.empty()) wake_.wait(mutex_);
    while (!leaving_ && Clock::now() < held_until_) wake_.wait_until(mutex_, held_until_);
    if (tasks_.empty()) return;
    carry_out_first();
  }
}

/// Without the lock meanwhile.
void Worker::carry_out_first() {
  std::function<void()> task = std::move(tasks_.front());
  tasks_.pop_front();
  busy_ = true;
  mutex_.unlock();
  const Clock::time_point begin = Clock::now();
  if (const auto failed = caught(-1, task)) failure_.note(*failed);
  const std::chrono::duration<double> took = Clock::now() - begin;
  task = nullptr;  // its members may post another task when they are destroyed
  mutex_.lock();
  busy_ = false;
  busy_seconds_ += took.count();
  done_.fetch_add(1, std::memory_order_acq_rel);
  if (after_task_) after_task_();
  if (tasks_.empty()) rests_.notify_all();
}

}  // namespace sv
