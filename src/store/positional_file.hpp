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
#include <vector>

#include "base/file_stripes.hpp"
#include "store/file_identity.hpp"
#include "store/large_writes.hpp"
#include "store/names_on_disk.hpp"
#include "store/store_counters.hpp"

namespace sv {

/// Owns a file descriptor. Every function except the destructor throws system_error with the path; calls that a signal
/// interrupted or the system did only in part are continued.
class PositionalFile {
 public:
  /// make: a new file, under a free name; make_private: a new file that no other user may open before it gets the
  /// rights of another one; itself: to read, but not through a symbolic link.
  enum class Mode { make, make_private, update, read, itself };

  PositionalFile() = default;
  /// `shown_path`: the name in errors, if it is not the path. Only regular files are opened for reading.
  PositionalFile(const std::string &path, Mode mode, std::string shown_path = {});
  /// The same of a name in a directory that is open.
  struct Entry {
    int directory;
    std::string name;
    bool follows_links = true;  // false: a symbolic link of this name is not opened
    FileStripes stripes{};      // of a new file, where its file system takes requests for them
  };
  PositionalFile(const Entry &entry, Mode mode, std::string shown_path);
  PositionalFile(PositionalFile &&other) noexcept;
  PositionalFile &operator=(PositionalFile &&other) noexcept;
  ~PositionalFile();  // closes; call close() for a written file, which returns whether that succeeded

  bool is_open() const { return descriptor_ >= 0; }
  const std::string &path() const { return path_; }  // the path in errors
  /// From now on large stretches are written so.
  void write_by(const WritePolicy &policy);
  void write(int64_t offset_bytes, std::span<const std::byte> bytes, StoreCounters &counters);
  /// The same with bytes of several places of memory, one after the other; `parts` is used up.
  void write(int64_t offset_bytes, std::span<iovec> parts, StoreCounters &counters);
  /// Returns how many bytes were there: fewer than asked for only at the end of the file, as all hosts have written it.
  int64_t read(int64_t offset_bytes, std::span<std::byte> bytes, StoreCounters &counters);
  int64_t size() const;
  void resize(int64_t bytes);
  /// Takes the room of the first bytes on the disk, without making the file longer. False where the file system cannot.
  bool allocate(int64_t bytes);
  /// Later writes of other hosts are seen, too.
  void sync();
  /// The system may read these bytes into the page cache meanwhile; 0: all from there on. Not an error if it does not.
  void will_read(int64_t offset_bytes, int64_t bytes);
  /// If hosts see other hosts' writes late: later reads read anew. Not an error if that fails.
  void forget_late_pages();
  /// Maps the first bytes of it at `place`, a page, to be read and privately changed. False with errno where it cannot.
  bool map_at(void *place, size_t bytes) const;
  /// Another descriptor of the same opening, which reports the same errors once.
  PositionalFile duplicate() const;
  void close();
  /// Which file it is, to be compared with others.
  FileIdentity identity() const { return identity_of(descriptor_, path_); }
  /// Whether `path` itself, no link, names this file.
  bool is_at(const std::string &path) const;
  /// Takes a lock that no other writer gets until it is closed or the process ends. False if another writer has it. On
  /// file systems without locks, every writer gets it.
  bool lock();
  /// Whether somebody else has the lock.
  bool is_locked() const;
  /// The user whose file it is.
  uid_t owner() const;
  /// From now on the same users may read and write it as the file at `place`, or as `other`. `is_being_written`: this
  /// process' user, too.
  void take_rights_at(const std::string &place, bool is_being_written);
  void take_rights_of(const PositionalFile &other);
  /// Remarks of the summary on the stripes of a new file, wanted and in force; none if none were wanted.
  std::vector<std::string> stripe_remarks(const FileStripes &wanted) const;

 private:
  /// Which file of which device it is. That does not change while it is open.
  struct Place {
    dev_t device;
    ino_t number;
  };
  std::string path_;
  int descriptor_ = -1;
  mutable std::optional<Place> place_;  // once it was asked for
  std::unique_ptr<LargeWrites> large_;
};

}  // namespace sv
