#include "stripe_owners.hpp"

namespace sv_shim {

uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

uint32_t StripeOwners::take(uint64_t key, uint32_t process) {
  constexpr uint64_t processes = (uint64_t{1} << process_bits) - 1;
  const uint64_t tag = key & ~processes, entry = tag | (process & processes);
  const uint64_t first = mixed(key) % places;
  const auto place = [&](uint64_t i) -> std::atomic<uint64_t> & { return entries_[(first + i) % places]; };
  for (uint64_t i = 0; i < window;) {
    uint64_t before = place(i).load();
    const bool same = before != 0 && (before & ~processes) == tag;
    if (!same && before != 0) {
      ++i;
      continue;
    }
    // When another process was faster, the place is looked at again: it may now be this stripe's.
    if (place(i).compare_exchange_strong(before, entry)) return static_cast<uint32_t>(before & processes);
  }
  place(process % window).store(entry);
  return 0;
}

}  // namespace sv_shim
