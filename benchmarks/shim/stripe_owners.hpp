// Which process wrote a stripe of a file last: a table of fixed size that all processes share, without locks.
#pragma once

#include <atomic>
#include <cstdint>

namespace sv_shim {

/// Zero at the beginning. Where a stripe's places are all taken by others, one of those is forgotten: it then has no
/// owner. A GiB in stripes of 1 MiB takes 1024 of the places.
class StripeOwners {
 public:
  /// `process` (of 22 bits, not 0) is now the owner of the stripe `key`; returns the owner before, 0: none.
  uint32_t take(uint64_t key, uint32_t process);

 private:
  static constexpr uint64_t places = 1 << 20, window = 8;
  static constexpr int process_bits = 22;  // of the largest process number that Linux has
  std::atomic<uint64_t> entries_[places];  // the upper bits of the key, and the owner
};

/// Spreads the bits of `value`: the finalizer of Vigna's splitmix64.
uint64_t mixed(uint64_t value);

}  // namespace sv_shim
