#include "store/io_threads.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace sv {

namespace {

constexpr std::align_val_t page{IoThreads::page_bytes};

}  // namespace

IoThreads::~IoThreads() {
  std::vector<Thread> ending;
  {
    const MutexLock lock(mutex_);
    ending.swap(threads_);
    for (Thread &each : ending) each.ask_to_end();
  }
  wake_.notify_all();
  ending.clear();
  const MutexLock lock(mutex_);
  for (std::byte *room : free_rooms_) ::operator delete(room, page);
}

int IoThreads::threads() const {
  const MutexLock lock(mutex_);
  return static_cast<int>(threads_.size());
}

/// As many as the system lets us have.
void IoThreads::begin_threads(int n) {
  threads_.reserve(static_cast<size_t>(n));
  while (std::ssize(threads_) < n) {
    Thread thread;
    if (!thread.begin("sv-io", [this](const std::stop_token &stop) { serve(stop); })) return;
    threads_.push_back(std::move(thread));
  }
}

/// Whether so many others may take pieces from now on.
bool IoThreads::share(const Task &task, int others) {
  {
    const MutexLock lock(mutex_);
    if (in_use_) return false;
    begin_threads(others);
    if (threads_.empty()) return false;
    in_use_ = true;
    task_ = task;
    next_ = 0;
    wanted_ = others;
  }
  wake_.notify_all();
  return true;
}

void IoThreads::run(int depth, int n, const std::function<void(int)> &piece) {
  DeferredError failure;
  const Task task{&piece, n, &failure};
  const int others = std::min(depth, n) - 1;
  if (others > 0 && share(task, others)) {
    take(task);
    const MutexLock lock(mutex_);
    wanted_ = 0;
    while (busy_ > 0) rests_.wait(mutex_);
    in_use_ = false;
  } else {
    for (int i = 0; i < n; ++i) carry_out(task, i);
  }
  failure.check();
}

void IoThreads::serve(const std::stop_token &stop) {
  const MutexLock lock(mutex_);
  for (;;) {
    while (!stop.stop_requested() && wanted_ == 0) wake_.wait(mutex_);
    if (stop.stop_requested()) return;
    --wanted_;
    ++busy_;
    const Task task = task_;
    mutex_.unlock();
    take(task);
    mutex_.lock();
    if (--busy_ == 0) rests_.notify_all();
  }
}

void IoThreads::take(const Task &task) {
  for (int i = next_++; i < task.n; i = next_++) carry_out(task, i);
}

void IoThreads::carry_out(const Task &task, int i) {
  if (const auto failed = caught(-1, [&] { (*task.piece)(i); })) task.failure->note(*failed);
}

IoThreads::Room IoThreads::room() {
  std::byte *memory = nullptr;
  {
    const MutexLock lock(mutex_);
    if (!free_rooms_.empty()) {
      memory = free_rooms_.back();
      free_rooms_.pop_back();
    }
  }
  if (memory == nullptr) memory = static_cast<std::byte *>(::operator new(room_bytes, page));
  return {memory, [this](std::byte *room) {
            const MutexLock lock(mutex_);
            free_rooms_.push_back(room);
          }};
}

}  // namespace sv
