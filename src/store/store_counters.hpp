// The work of a store on its file: system calls, bytes, and their results. All code that calls a store's file adds to
// one.
#pragma once

#include <cstdint>
#include <optional>

#include "store/written_ranges.hpp"

namespace sv {

/// The time of a system call beyond that for its bytes at a slow rate. If it is more than so many µs, each call has a
/// price, however little it writes.
constexpr int64_t priced_call_us = 100;
constexpr int64_t beyond_bytes(int64_t took_us, int64_t bytes) {
  constexpr int64_t slow_bytes_per_us = 250;
  return took_us - bytes / slow_bytes_per_us;
}

struct StoreCounters {
  int64_t writes = 0, written_bytes = 0;  // system calls and bytes, header included
  int64_t direct_bytes = 0;               // of those written: past the page cache
  bool direct_refused = false;            // the system would not write past it
  int64_t reads = 0, read_bytes = 0;
  std::optional<int64_t> header_us{};  // that writing the header of a new file took, beyond its bytes
  WrittenRanges *ranges = nullptr;     // where they are kept, too; nullptr: nowhere

  /// All but the ranges.
  void add(const StoreCounters &other) {
    writes += other.writes;
    written_bytes += other.written_bytes;
    direct_bytes += other.direct_bytes;
    direct_refused = direct_refused || other.direct_refused;
    reads += other.reads;
    read_bytes += other.read_bytes;
  }
};

}  // namespace sv
