// An index of the entries of a section of a trace file: it finds the number of an entry by its contents. Readers wait
// for no other thread; writers wait for each other.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "trace/lock.hpp"

namespace sv::trace {

/// FNV-1a.
constexpr uint64_t hash_of(std::string_view text, uint64_t seed = 0xcbf29ce484222325) {
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return seed;
}
/// Spreads the bits of a number (the finalizer of MurmurHash3).
constexpr uint64_t mixed(uint64_t number) {
  number = (number ^ number >> 33) * 0xff51afd7ed558ccd;
  number = (number ^ number >> 33) * 0xc4ceb9fe1a85ec53;
  return number ^ number >> 33;
}

/// Of at most `slots` / 2 entries, which are numbered from 1. `slots`: a power of 2.
template <uint32_t slots>
class Index {
 public:
  /// The entry for which equal(number) is true, or the one that `make` makes: its number, or 0 where there is no room.
  template <typename Equal, typename Make>
  uint32_t find_or_make(uint64_t hash, Equal equal, Make make) {
    if (const uint32_t found = find(hash, equal)) return found;
    const Lock::Held held(lock_);
    if (const uint32_t found = find(hash, equal)) return found;
    const uint32_t made = make();
    if (made != 0) free_slot(hash).store(made, std::memory_order_release);
    return made;
  }

 private:
  template <typename Equal>
  uint32_t find(uint64_t hash, Equal equal) const {
    for (uint64_t at = hash;; ++at) {
      const uint32_t number = slots_[at % slots].load(std::memory_order_acquire);
      if (number == 0 || equal(number)) return number;
    }
  }
  std::atomic<uint32_t> &free_slot(uint64_t at) {
    while (slots_[at % slots].load(std::memory_order_relaxed) != 0) ++at;
    return slots_[at % slots];
  }

  Lock lock_;
  std::array<std::atomic<uint32_t>, slots> slots_{};
};

}  // namespace sv::trace
