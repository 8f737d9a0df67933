// The file of a Recorder, in memory. It is created at its full size, mapped and closed. Blocks are reserved before they
// are touched: to touch one that the disk has no room for would end the process (SIGBUS).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sv::trace {

class MappedFile {
 public:
  /// Creates `path` (absolute), which must not exist, of `bytes` bytes, all 0; the first `reserved_bytes` may be
  /// touched. Throws std::system_error, and leaves nothing behind.
  MappedFile(std::string path, int64_t bytes, int64_t reserved_bytes);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const std::string &path() const { return path_; }
  std::byte *data() const { return data_; }
  /// From now on the bytes [begin, end) may be touched. False where the disk is full, or the file is gone.
  bool reserve(int64_t begin, int64_t end) const;

 private:
  std::string path_;
  int64_t bytes_;
  std::byte *data_ = nullptr;
};

}  // namespace sv::trace
