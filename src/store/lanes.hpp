// Threads that carry out the pieces of one task side by side with the thread that asks for it. The files of a context
// share one Lanes (store/large_writes.hpp writes with it), so that a rank has a bounded number of them, however many
// files it has open. They make no MPI calls.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sv {

class Lanes {
 public:
  Lanes() = default;
  Lanes(const Lanes &) = delete;
  /// Nobody is in run().
  ~Lanes();

  /// Calls piece(0) to piece(n − 1), each once and at most `depth` at a time: in this thread and in others, which begin
  /// when they are needed first and end with this object. Returns when all have returned; they must not throw. While
  /// another thread is in here, this one does all of its own alone: together they have depth enough.
  void run(int depth, int n, const std::function<void(int)> &piece);
  int threads() const { return static_cast<int>(threads_.size()); }

  /// Memory of whole pages, room_bytes of it, for one piece at a time; whoever drops it gives it back. Throws
  /// bad_alloc.
  using Room = std::shared_ptr<std::byte>;
  static constexpr size_t room_bytes = size_t{1} << 20, page_bytes = 4096;
  Room room();

 private:
  struct Task {
    const std::function<void(int)> *piece = nullptr;
    int n = 0;
  };
  void begin_threads(int n);
  void serve();
  void take(const Task &task);

  std::mutex in_use_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, rests_;
  Task task_;
  int wanted_ = 0, busy_ = 0;  // threads that the task may still have, and those that it has
  bool leaving_ = false;
  std::atomic<int> next_{0};
  std::mutex rooms_mutex_;
  std::vector<std::byte *> free_rooms_;
};

}  // namespace sv
