// Puts slices in the order of the file ahead of the thread that writes them, in a thread of its own: so the device is
// not idle while the next slice is put in order. The writing of slabs has one where slices come in parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "base/worker.hpp"
#include "transport/event_count.hpp"

namespace sv {

class Ordering {
 public:
  /// `bell` is rung after every slice.
  explicit Ordering(EventCount &bell) : thread_("sv-ordering", [&bell] { bell.ring(); }) { thread_.begin(); }

  /// A slice in order; dropping it releases its memory.
  using Ordered = std::shared_ptr<std::byte>;
  /// `put_in_order` fills this many bytes, in the other thread, after the earlier slices, and is then dropped. Take the
  /// slices in the order of their requests, and drop each before the next. The future throws the slice's error.
  std::future<Ordered> order(int64_t bytes, std::function<void(std::byte *slice)> put_in_order);

  Worker &thread() { return thread_; }
  const Worker &thread() const { return thread_; }

 private:
  using Memory = std::vector<std::byte>;
  struct Slice {
    int64_t bytes;
    std::function<void(std::byte *slice)> put_in_order;
    std::promise<Ordered> promise;
  };
  void begin_next() SV_EXCLUDES(mutex_);
  void put(Slice &slice, Memory &memory);
  void give_back(Memory &memory) SV_EXCLUDES(mutex_);

  std::array<Memory, 2> memory_;  // one is filled while the other is written
  Mutex mutex_;
  std::vector<Memory *> free_ SV_GUARDED_BY(mutex_){&memory_[0], &memory_[1]};
  std::deque<std::shared_ptr<Slice>> waiting_ SV_GUARDED_BY(mutex_);  // for memory
  Worker thread_;                                                     // the last: it ends first
};

}  // namespace sv
