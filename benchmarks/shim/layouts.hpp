// The stripes of single files on a device with targets, as the calls of Lustre and BeeGFS set them: a table of fixed
// size that all processes share, without locks.
#pragma once

#include <atomic>
#include <cstdint>

namespace sv_shim {

struct FileLayout {
  int stripes;
  int64_t stripe_bytes;  // below 4 GiB
};

/// Zero at the beginning. When its places are taken, further files keep the stripes of the device.
class FileLayouts {
 public:
  /// False if the file `key` (not 0) has stripes of its own already, or there is no place.
  bool set(uint64_t key, const FileLayout &layout);
  /// Of the file; `otherwise` if it has none of its own.
  FileLayout of(uint64_t key, const FileLayout &otherwise) const;

 private:
  static constexpr uint64_t places = 1 << 12, window = 64;
  struct Entry {
    std::atomic<uint64_t> key, layout;  // stripes above, their bytes below; 0: being entered
  };
  Entry entries_[places];
};

}  // namespace sv_shim
