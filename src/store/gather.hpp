// One stretch of a file whose bytes stand in several places of memory, written at once. Internal to the stores.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/positional_file.hpp"

namespace sv {

/// Gathers references. Less than 4 KiB is copied instead: the system takes at most IOV_MAX places at a time.
class Gather {
 public:
  bool is_empty() const { return parts_.empty(); }
  void clear() { parts_.clear(); }
  /// The next bytes of the stretch, behind `padding` bytes of 0. They must stay where they are until write.
  void add(int64_t padding, std::span<const std::byte> values);
  /// Writes the gathered bytes from `offset_bytes` on, and is empty again, also after an exception.
  void write(PositionalFile &file, int64_t offset_bytes, StoreCounters &counters);

 private:
  struct Part {
    const std::byte *values;  // nullptr: in copies_
    size_t begin, bytes;
  };
  void settle();
  void copy(std::span<const std::byte> values);

  std::vector<Part> parts_;
  std::vector<std::byte> copies_;
  std::vector<iovec> system_parts_;
};

}  // namespace sv
