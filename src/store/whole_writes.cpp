#include "store/whole_writes.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>

#include "base/error.hpp"

namespace sv {

void count_write(const WriteTarget &to, ssize_t bytes, int64_t offset_bytes, StoreCounters &counters) {
  if (bytes == 0) errno = EIO;  // the system took nothing and gave no reason
  if (bytes <= 0) throw system_error(errno, "writing failed", to.path);
  ++counters.writes;
  counters.written_bytes += bytes;
  if (counters.ranges != nullptr) counters.ranges->add(offset_bytes, bytes);
}

void write_whole(const WriteTarget &to, int64_t offset_bytes, std::span<const std::byte> bytes,
                 StoreCounters &counters) {
  while (!bytes.empty()) {
    const ssize_t done =
        uninterrupted([&] { return ::pwrite(to.descriptor, bytes.data(), bytes.size(), offset_bytes); });
    count_write(to, done, offset_bytes, counters);
    offset_bytes += done;
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
}

void write_whole(const WriteTarget &to, int64_t offset_bytes, std::span<iovec> parts, StoreCounters &counters) {
  if (parts.size() == 1)
    return write_whole(to, offset_bytes, {static_cast<std::byte *>(parts[0].iov_base), parts[0].iov_len}, counters);
  while (!parts.empty()) {
    const auto n = static_cast<int>(std::min<size_t>(parts.size(), IOV_MAX));
    const ssize_t done = uninterrupted([&] { return ::pwritev(to.descriptor, parts.data(), n, offset_bytes); });
    count_write(to, done, offset_bytes, counters);
    offset_bytes += done;
    drop_front(parts, static_cast<size_t>(done));
  }
}

void drop_front(std::span<iovec> &parts, size_t bytes) {
  for (; !parts.empty() && parts.front().iov_len <= bytes; parts = parts.subspan(1)) bytes -= parts.front().iov_len;
  if (bytes == 0) return;
  iovec &cut = parts.front();
  cut = {static_cast<std::byte *>(cut.iov_base) + bytes, cut.iov_len - bytes};
}

}  // namespace sv
