// Writes to a descriptor until all bytes are written: interrupted and partial calls are continued. Internal to the
// files of this folder.
#pragma once

#include <sys/uio.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "store/store_counters.hpp"

namespace sv {

/// Repeats a system call that a signal interrupted.
template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// An open descriptor, and the path for errors.
struct WriteTarget {
  int descriptor;
  const std::string &path;
};

/// Throws system_error with the path; bytes written until then are counted. Several threads may write to one target.
void write_whole(const WriteTarget &to, int64_t offset_bytes, std::span<const std::byte> bytes,
                 StoreCounters &counters);
/// The same with bytes of several places of memory, one after the other; `parts` is used up.
void write_whole(const WriteTarget &to, int64_t offset_bytes, std::span<iovec> parts, StoreCounters &counters);
/// Counts the result of one call to write; errno explains it if nothing was written.
void count_write(const WriteTarget &to, ssize_t bytes, int64_t offset_bytes, StoreCounters &counters);
/// The first bytes leave the parts.
void drop_front(std::span<iovec> &parts, size_t bytes);

}  // namespace sv
