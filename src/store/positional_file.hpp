// A file that is read and written at given offsets: every byte or an error. Internal to the stores.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "store/store.hpp"

namespace sv {

/// Owns a file descriptor. Every function but the destructor throws system_error with the path; what a signal
/// interrupted and what the system did only in part is continued.
class PositionalFile {
 public:
  enum class Mode { create, update, read };  // create: makes the file, or empties it; all but read may write

  PositionalFile() = default;
  PositionalFile(std::string path, Mode mode);
  PositionalFile(PositionalFile &&other) noexcept;
  PositionalFile &operator=(PositionalFile &&other) noexcept;
  ~PositionalFile();  // closes; a file that was written wants close(), which tells whether that succeeded

  bool is_open() const { return descriptor_ >= 0; }
  const std::string &path() const { return path_; }
  void write(int64_t offset_bytes, std::span<const std::byte> bytes, StoreCounters &counters);
  /// The same with bytes of several places of memory, one after the other; `parts` is used up.
  void write(int64_t offset_bytes, std::span<iovec> parts, StoreCounters &counters);
  /// Returns how many bytes were there: fewer than asked for only at the end of the file.
  int64_t read(int64_t offset_bytes, std::span<std::byte> bytes, StoreCounters &counters);
  int64_t size() const;
  void resize(int64_t bytes);
  void sync();
  void close();

 private:
  void check(bool success, const char *what) const;
  void took(ssize_t bytes, int64_t offset_bytes, StoreCounters &counters) const;
  std::string path_;
  int descriptor_ = -1;
};

/// Gives the file at `from` the name `to`, in place of what has that name.
void rename_file(const std::string &from, const std::string &to);
/// Removes a file, if it is there.
void remove_file(const std::string &path);
enum class Presence { absent, file, directory };
Presence presence_of(const std::string &path);
/// Puts the names in the directory of `path` on the disk.
void sync_directory_of(const std::string &path);

}  // namespace sv
