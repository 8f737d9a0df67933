#include "layouts.hpp"

namespace sv_shim {

bool FileLayouts::set(uint64_t key, const FileLayout &layout) {
  const uint64_t value = (static_cast<uint64_t>(layout.stripes) << 32) + static_cast<uint64_t>(layout.stripe_bytes);
  for (uint64_t i = 0; i < window; ++i) {
    Entry &entry = entries_[(key + i) % places];
    uint64_t before = 0;
    if (entry.key.compare_exchange_strong(before, key)) {
      entry.layout.store(value);
      return true;
    }
    if (before == key) return false;
  }
  return false;
}

FileLayout FileLayouts::of(uint64_t key, const FileLayout &otherwise) const {
  for (uint64_t i = 0; i < window; ++i) {
    const Entry &entry = entries_[(key + i) % places];
    const uint64_t known = entry.key.load();
    if (known == 0) return otherwise;
    if (known != key) continue;
    const uint64_t layout = entry.layout.load();
    if (layout == 0) return otherwise;
    return {static_cast<int>(layout >> 32), static_cast<int64_t>(layout & 0xFFFFFFFF)};
  }
  return otherwise;
}

}  // namespace sv_shim
