#include "trace/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace sv::trace {

MappedFile::MappedFile(std::string path, int64_t bytes, int64_t reserved_bytes)
    : path_(std::move(path)), bytes_(bytes) {
  const int file = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) throw std::system_error(errno, std::generic_category(), "trace file '" + path_ + "' cannot be created");
  int error = ftruncate(file, bytes) == 0 ? 0 : errno;
  if (error == 0) error = posix_fallocate(file, 0, reserved_bytes);
  if (error == 0) {
    void *const mapped = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
      error = errno;
    } else {
      data_ = static_cast<std::byte *>(mapped);
    }
  }
  close(file);
  if (error == 0) return;
  unlink(path_.c_str());
  throw std::system_error(
      error, std::generic_category(),
      "trace file '" + path_ + "' cannot have its first " + std::to_string(reserved_bytes) + " bytes");
}

MappedFile::~MappedFile() { munmap(data_, static_cast<size_t>(bytes_)); }

bool MappedFile::reserve(int64_t begin, int64_t end) const {
  // Opened anew: a descriptor of ours that stayed open could be closed by the program, or disturb how it numbers its
  // own.
  const int file = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const int error = posix_fallocate(file, begin, end - begin);
  close(file);
  return error == 0;
}

}  // namespace sv::trace
