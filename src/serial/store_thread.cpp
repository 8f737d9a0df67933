#include "serial/store_thread.hpp"

#include <utility>

namespace sv {

namespace {

constexpr int64_t most_in_tasks = 256 << 20;

}  // namespace

StoreThread &StoreThread::own() {
  static auto *const thread = new StoreThread;
  return *thread;
}

void StoreThread::await_room(int64_t bytes) {
  const auto has_room = [this, bytes] {
    const int64_t waiting = waiting_bytes_;
    return waiting == 0 || waiting + bytes <= most_in_tasks;
  };
  if (has_room()) return;
  const Lent lent(hdf5_);
  const MutexLock lock(mutex_);
  while (!has_room()) fewer_.wait(mutex_);
}

void StoreThread::submit(int64_t bytes, std::function<void()> task) {
  const Lent lent(hdf5_);
  waiting_bytes_ += bytes;
  ++tasks_;
  worker_.post([this, bytes, own = std::move(task)]() mutable {
    own();
    own = nullptr;  // its memory can be used again
    --tasks_;
    const MutexLock lock(mutex_);
    waiting_bytes_ -= bytes;
    fewer_.notify_all();
  });
}

void StoreThread::lend() {
  if (tasks_.load(std::memory_order_relaxed) > 0) const Lent lent(hdf5_);
}

void StoreThread::rest() {
  const Lent lent(hdf5_);
  worker_.wait();
}

}  // namespace sv
