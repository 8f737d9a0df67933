// A file that is open, and is read and written at given offsets: every byte is transferred, or an Error is thrown. The
// stores that place their bytes themselves have one each, and so has the thread that puts files on the disk
// (file/syncer.hpp). It knows bytes only: no variables, no records, no other ranks.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "store/large_writes.hpp"
#include "store/store.hpp"

namespace sv {

/// Owns a file descriptor. Every function but the destructor throws system_error with the path; what a signal
/// interrupted and what the system did only in part is continued.
class PositionalFile {
 public:
  enum class Mode { make, update, read };  // make: a new file, under a name that nothing has; all but read may write

  PositionalFile() = default;
  /// `told`: the name that errors tell, where it is not the path. Only regular files are opened for reading.
  PositionalFile(const std::string &path, Mode mode, std::string told = {});
  /// The same of a name in a directory that is open.
  struct Entry {
    int directory;
    std::string name;
  };
  PositionalFile(const Entry &entry, Mode mode, std::string told);
  PositionalFile(PositionalFile &&other) noexcept;
  PositionalFile &operator=(PositionalFile &&other) noexcept;
  ~PositionalFile();  // closes; a file that was written wants close(), which tells whether that succeeded

  bool is_open() const { return descriptor_ >= 0; }
  const std::string &path() const { return path_; }  // what errors tell
  /// From now on large stretches are written so.
  void write_by(const WriteWay &way);
  void write(int64_t offset_bytes, std::span<const std::byte> bytes, StoreCounters &counters);
  /// The same with bytes of several places of memory, one after the other; `parts` is used up.
  void write(int64_t offset_bytes, std::span<iovec> parts, StoreCounters &counters);
  /// Returns how many bytes were there: fewer than asked for only at the end of the file, as all hosts have written it.
  int64_t read(int64_t offset_bytes, std::span<std::byte> bytes, StoreCounters &counters);
  int64_t size() const;
  void resize(int64_t bytes);
  /// Takes the room of the first bytes on the disk, without making the file longer. False where the file system cannot.
  bool allocate(int64_t bytes);
  /// What other hosts write afterwards is seen, too.
  void sync();
  /// Where hosts see late what others have written: what is read next is read anew. Not an error where that fails.
  void forget_late_pages();
  /// Another descriptor of the same opening, which tells the same errors once.
  PositionalFile duplicate() const;
  void close();
  /// Whether `path` itself, no link, names this file.
  bool is_at(const std::string &path) const;
  /// From now on nobody else gets this lock, until it is closed or the process ends. False where somebody has it. Where
  /// the file system has no locks, everybody gets it.
  bool lock();
  /// Whether somebody else has the lock.
  bool is_locked() const;
  /// Who may read and write it: the permission bits.
  unsigned permissions() const;
  void permit(unsigned bits);

 private:
  void check(bool success, const char *what) const;
  /// Which file of which device it is. That does not change while it is open.
  struct Identity {
    dev_t device;
    ino_t number;
  };
  std::string path_;
  int descriptor_ = -1;
  mutable std::optional<Identity> identity_;  // once it was asked for
  std::unique_ptr<LargeWrites> large_;
};

/// Gives the file at `from` the name `to`, in place of what has that name.
void rename_file(const std::string &from, const std::string &to);
/// Removes a file or a symbolic link, if it is there: whether it was.
bool remove_file(const std::string &path);
enum class Presence { absent, file, directory, link, other };  // other: a pipe, a device, a socket
/// What a path leads to; `itself`: without following it where it is a symbolic link.
Presence presence_of(const std::string &path);
Presence presence_itself(const std::string &path);
/// Puts a file that was closed on the disk, or those of a directory; nothing where neither has this name any more.
void sync_file(const std::string &path);
/// Puts the names in the directory of `path` on the disk.
void sync_directory_of(const std::string &path);

}  // namespace sv
