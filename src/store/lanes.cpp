#include "store/lanes.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace sv {

namespace {

constexpr std::align_val_t page{Lanes::page_bytes};

}  // namespace

Lanes::~Lanes() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  wake_.notify_all();
  for (std::thread &each : threads_) each.join();
  for (std::byte *room : free_rooms_) ::operator delete(room, page);
}

/// As many as the system lets us have.
void Lanes::begin_threads(int n) {
  try {
    while (threads() < n) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error &) {
  }
}

void Lanes::run(int depth, int n, const std::function<void(int)> &piece) {
  const std::unique_lock mine(in_use_, std::try_to_lock);
  const int others = std::min(depth, n) - 1;
  if (mine.owns_lock() && others > 0) begin_threads(others);
  if (!mine.owns_lock() || others < 1 || threads() == 0) {
    for (int i = 0; i < n; ++i) piece(i);
    return;
  }
  const Task task{&piece, n};
  {
    const std::lock_guard lock(mutex_);
    task_ = task;
    next_ = 0;
    wanted_ = others;
  }
  wake_.notify_all();
  take(task);
  std::unique_lock lock(mutex_);
  wanted_ = 0;
  rests_.wait(lock, [this] { return busy_ == 0; });
}

void Lanes::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return leaving_ || wanted_ > 0; });
    if (leaving_) return;
    --wanted_;
    ++busy_;
    const Task task = task_;
    lock.unlock();
    take(task);
    lock.lock();
    if (--busy_ == 0) rests_.notify_all();
  }
}

void Lanes::take(const Task &task) {
  for (int i = next_++; i < task.n; i = next_++) (*task.piece)(i);
}

Lanes::Room Lanes::room() {
  std::byte *memory = nullptr;
  {
    const std::lock_guard lock(rooms_mutex_);
    if (!free_rooms_.empty()) {
      memory = free_rooms_.back();
      free_rooms_.pop_back();
    }
  }
  if (memory == nullptr) memory = static_cast<std::byte *>(::operator new(room_bytes, page));
  return {memory, [this](std::byte *room) {
            const std::lock_guard lock(rooms_mutex_);
            free_rooms_.push_back(room);
          }};
}

}  // namespace sv
