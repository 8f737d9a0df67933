// A thread that computes results of streams while the model goes on, one after the other. A run of streams has one,
// which begins with its first work.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace sv::streams {

class Background {
 public:
  Background() = default;
  Background(const Background &) = delete;
  Background &operator=(const Background &) = delete;
  /// Ends after the work that was given.
  ~Background();

  /// Does `work` after all earlier work; at once, where the system gives no thread.
  void start(std::function<void()> work);
  /// Until all work is done. Throws the first exception of it.
  void wait();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> works_;  // the first one is being done
  std::exception_ptr first_error_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace sv::streams
