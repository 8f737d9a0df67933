#include "rounds/writer.hpp"

#include <ctime>
#include <utility>

namespace sv {

namespace {

/// Of the calling thread.
double own_processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Writer::~Writer() {
  {
    const std::scoped_lock lock(mutex_);
    leaving_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Writer::post(std::function<void()> task) {
  {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void Writer::hold_back(std::chrono::milliseconds time) {
  const std::scoped_lock lock(mutex_);
  held_until_ = moment_now() + time;
}

void Writer::go() {
  {
    const std::scoped_lock lock(mutex_);
    held_until_ = {};
  }
  wake_.notify_one();
}

bool Writer::is_idle() const {
  const std::scoped_lock lock(mutex_);
  return tasks_.empty() && !busy_;
}

bool Writer::wait(std::chrono::milliseconds time) const {
  std::unique_lock lock(mutex_);
  return rests_.wait_for(lock, time, [this] { return tasks_.empty() && !busy_; });
}

double Writer::busy_seconds() const {
  const std::scoped_lock lock(mutex_);
  return busy_seconds_;
}

void Writer::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return leaving_ || !tasks_.empty(); });
    while (!leaving_ && moment_now() < held_until_) wake_.wait_until(lock, held_until_);
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    busy_ = true;
    lock.unlock();
    const Moment begin = moment_now();
    if (const auto failed = caught(-1, task)) failure_.note(*failed);
    const std::chrono::duration<double> took = moment_now() - begin;
    processor_seconds_.store(own_processor_seconds(), std::memory_order_release);
    lock.lock();
    busy_ = false;
    busy_seconds_ += took.count();
    done_.fetch_add(1, std::memory_order_acq_rel);
    bell_.ring();
    if (tasks_.empty()) rests_.notify_all();
  }
}

}  // namespace sv
