// Bytes of a file by plain system calls, for the methods that know no library.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace sv_bench {

class PlainFile {
 public:
  PlainFile(std::string path, int flags) : path_(std::move(path)), descriptor_(open(path_.c_str(), flags, 0666)) {
    if (descriptor_ < 0) fail("open");
  }
  ~PlainFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  PlainFile(const PlainFile &) = delete;
  PlainFile &operator=(const PlainFile &) = delete;

  void write(const std::byte *data, int64_t bytes, int64_t offset) const {
    while (bytes > 0) {
      const ssize_t done = pwrite(descriptor_, data, static_cast<size_t>(bytes), offset);
      if (done <= 0) fail("write");
      data += done;
      offset += done;
      bytes -= done;
    }
  }
  /// Makes room for the first `bytes`, so that a full device is an error here and not a signal in mapped memory.
  void reserve(int64_t bytes) const {
    if (const int error = posix_fallocate(descriptor_, 0, bytes); error != 0) {
      errno = error;
      fail("reserve the space of");
    }
  }
  void sync() const {
    if (fsync(descriptor_) != 0) fail("fsync");
  }
  void read(std::byte *data, int64_t bytes, int64_t offset) const {
    while (bytes > 0) {
      const ssize_t done = pread(descriptor_, data, static_cast<size_t>(bytes), offset);
      if (done <= 0) fail("read");
      data += done;
      offset += done;
      bytes -= done;
    }
  }
  void close() {
    const int result = ::close(descriptor_);
    descriptor_ = -1;
    if (result != 0) fail("close");
  }

 private:
  [[noreturn]] void fail(const char *what) const {
    throw std::runtime_error(std::string("cannot ") + what + " '" + path_ + "': " + std::strerror(errno));
  }
  std::string path_;
  int descriptor_;
};

}  // namespace sv_bench
