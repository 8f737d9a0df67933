#include "delivery/ordering.hpp"

namespace sv {

std::future<Ordering::Ordered> Ordering::order(int64_t bytes, std::function<void(std::byte *slice)> put_in_order) {
  auto slice = std::make_shared<Slice>(Slice{bytes, std::move(put_in_order), {}});
  std::future<Ordered> future = slice->promise.get_future();
  {
    const MutexLock lock(mutex_);
    waiting_.push_back(std::move(slice));
  }
  begin_next();
  return future;
}

/// The thread gets only slices with memory: one that waits for memory there could not be held back.
void Ordering::begin_next() {
  std::shared_ptr<Slice> slice;
  Memory *memory = nullptr;
  {
    const MutexLock lock(mutex_);
    if (waiting_.empty() || free_.empty()) return;
    memory = free_.back();
    free_.pop_back();
    slice = std::move(waiting_.front());
    waiting_.pop_front();
  }
  thread_.post([this, slice, memory] { put(*slice, *memory); });
}

void Ordering::put(Slice &slice, Memory &memory) {
  const Ordered lent(static_cast<std::byte *>(nullptr), [this, &memory](std::byte *) { give_back(memory); });
  try {
    if (std::ssize(memory) < slice.bytes) memory.resize(static_cast<size_t>(slice.bytes));
    slice.put_in_order(memory.data());
    slice.put_in_order = nullptr;
    slice.promise.set_value(Ordered(lent, memory.data()));
  } catch (...) {
    slice.put_in_order = nullptr;
    slice.promise.set_exception(std::current_exception());
  }
}

void Ordering::give_back(Memory &memory) {
  {
    const MutexLock lock(mutex_);
    free_.push_back(&memory);
  }
  begin_next();
}

}  // namespace sv
