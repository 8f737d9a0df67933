// The pages of a ring, made piece by piece in a thread while its rank does something else: making all of them at once
// takes a tenth of a second, and few runs need them all at their beginning. Every reader of a ring has one.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "base/thread.hpp"
#include "transport/ring_release.hpp"

namespace sv {

class RingPages {
 public:
  /// Makes the pages of a range of the ring, or says why there is no memory for them.
  using Make = std::function<bool(int64_t begin, int64_t end, std::string &why)>;
  /// `release`: of a ring of so many bytes; outlives it. Nothing is made yet.
  RingPages(Make make, int64_t bytes, RingRelease &release);
  RingPages(const RingPages &) = delete;

  /// The thread begins; where the system gives none, this call makes all pages. Called again, nothing happens.
  void begin();
  /// Why there was no memory for the next piece; empty: there was.
  std::string failed() const { return has_failed_.load(std::memory_order_acquire) ? why_ : ""; }

 private:
  void run(const std::stop_token &stop);
  void make(const std::stop_token &stop);

  const Make make_;
  const int64_t bytes_;
  RingRelease &release_;
  std::atomic<bool> has_failed_{false};
  std::string why_;  // written before has_failed_
  Thread thread_;
};

}  // namespace sv
