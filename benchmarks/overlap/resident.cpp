#include "resident.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace sv_bench {

namespace {

// Rings and windows stay as long as their context: they are measured seldom enough not to disturb.
constexpr auto pause_between_looks = std::chrono::milliseconds(50);

/// A line of /proc/self/status, "\nVmHWM:" for example, in bytes. Without buffers of its own.
int64_t status_bytes(const char *key) {
  char text[4096];
  const int descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  const ssize_t length = descriptor >= 0 ? read(descriptor, text, sizeof text - 1) : -1;
  if (descriptor >= 0) close(descriptor);
  text[std::max<ssize_t>(length, 0)] = '\0';
  const char *line = std::strstr(text, key);
  if (line == nullptr) throw std::runtime_error(std::string("/proc/self/status reports no ") + (key + 1));
  return std::strtoll(line + std::strlen(key), nullptr, 10) * 1024;
}

// So that VmHWM counts from now on (proc(5)).
void forget_most() {
  const int descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  const bool done = descriptor >= 0 && write(descriptor, "5", 1) == 1;
  if (descriptor >= 0) close(descriptor);
  if (!done) throw std::runtime_error("cannot write to /proc/self/clear_refs, which Linux 4.0 and later have");
}

}  // namespace

ResidentWatch::ResidentWatch()
    : bytes_(status_bytes("\nVmRSS:")), shared_bytes_(status_bytes("\nRssShmem:")), most_shared_bytes_(shared_bytes_) {
  forget_most();
  thread_ = std::thread([this] {
    while (!ends_) {
      most_shared_bytes_ = std::max(most_shared_bytes_.load(), status_bytes("\nRssShmem:"));
      std::this_thread::sleep_for(pause_between_looks);
    }
  });
}

ResidentWatch::~ResidentWatch() { end(); }

Resident ResidentWatch::end() {
  if (thread_.joinable()) {
    ends_ = true;
    thread_.join();
  }
  const int64_t most = status_bytes("\nVmHWM:");
  return {std::max<int64_t>(0, most - bytes_), most_shared_bytes_ - shared_bytes_};
}

}  // namespace sv_bench
