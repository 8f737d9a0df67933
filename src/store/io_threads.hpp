// Threads that carry out the pieces of one task side by side with the thread that asks for it. The files of a context
// share one Lanes (store/large_writes.hpp writes with it), so that a rank has a bounded number of them, however many
// files it has open. They make no MPI calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "base/deferred_error.hpp"
#include "base/mutex.hpp"
#include "base/thread.hpp"

namespace sv {

class IoThreads {
 public:
  IoThreads() = default;
  IoThreads(const IoThreads &) = delete;
  /// No thread is in run().
  ~IoThreads();

  /// Calls piece(0) to piece(n − 1), each once and at most `depth` at a time: in this thread and in others, which begin
  /// when they are needed first and end with this object; where the system gives no more, fewer share the work. Throws
  /// what a piece has thrown first, when all have returned. While another thread is in here, this one does all of its
  /// own alone: together they have depth enough.
  void run(int depth, int n, const std::function<void(int)> &piece) SV_EXCLUDES(mutex_);
  int threads() const SV_EXCLUDES(mutex_);

  /// Memory of whole pages, room_bytes of it, for one piece at a time; dropping it gives it back. Throws bad_alloc.
  using Room = std::shared_ptr<std::byte>;
  static constexpr size_t room_bytes = size_t{1} << 20, page_bytes = 4096;
  Room room();

 private:
  struct Task {
    const std::function<void(int)> *piece = nullptr;
    int n = 0;
    DeferredError *failure = nullptr;
  };
  bool share(const Task &task, int others) SV_EXCLUDES(mutex_);
  void begin_threads(int n) SV_REQUIRES(mutex_);
  void serve(const std::stop_token &stop) SV_EXCLUDES(mutex_);
  void take(const Task &task);
  static void carry_out(const Task &task, int i);

  mutable Mutex mutex_;
  Condition wake_, rests_;
  Task task_ SV_GUARDED_BY(mutex_);
  bool in_use_ SV_GUARDED_BY(mutex_) = false;
  int wanted_ SV_GUARDED_BY(mutex_) = 0, busy_ SV_GUARDED_BY(mutex_) = 0;  // threads that it may still have, and has
  std::atomic<int> next_{0};
  std::vector<std::byte *> free_rooms_ SV_GUARDED_BY(mutex_);
  std::vector<Thread> threads_ SV_GUARDED_BY(mutex_);
};

}  // namespace sv
