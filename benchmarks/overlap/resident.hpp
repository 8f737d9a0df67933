// The memory of a process while it works.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace sv_bench {

/// Beyond what it had before, at most: all of it (VmHWM), and the part that it shares with other processes (RssShmem),
/// which is looked at every few milliseconds. No MPI.
struct Resident {
  int64_t bytes = 0, shared_bytes = 0;
};

class ResidentWatch {
 public:
  /// From construction to end(). Throws std::runtime_error if Linux does not report it.
  ResidentWatch();
  ~ResidentWatch();
  ResidentWatch(const ResidentWatch &) = delete;
  ResidentWatch &operator=(const ResidentWatch &) = delete;
  Resident end();

 private:
  int64_t bytes_, shared_bytes_;
  std::atomic<int64_t> most_shared_bytes_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace sv_bench
