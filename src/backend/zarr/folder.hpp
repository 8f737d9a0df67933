// The directory of a Zarr group, held open by its descriptor: whatever becomes of its name, what is read and written
// below it is its own. Who writes follows no symbolic link below it. Each rank that has a file open has one. Local.
#pragma once

#include <sys/uio.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "backend/zarr/entries.hpp"
#include "base/progress.hpp"
#include "store/positional_file.hpp"

namespace sv::zarr {

/// Every function but the destructor throws the system's error, naming the path; where links are refused,
/// Error(access) for one on the way.
class Folder {
 public:
  /// What becomes of symbolic links below it. The directory itself may be named by one.
  enum class Links { refuse, follow };

  Folder() = default;
  /// `shown`: the name in errors. Error(not_found).
  explicit Folder(const std::string &path, std::string shown = {}, Links links = Links::refuse);
  Folder(Folder &&other) noexcept;
  Folder &operator=(Folder &&other) noexcept;
  ~Folder();

  bool is_open() const { return descriptor_ >= 0; }
  void close();
  /// Whether `path` itself, no link, names it.
  bool is_at(const std::string &path) const;
  /// As those of PositionalFile: from now on nobody else gets this lock.
  bool lock();
  void take_rights_at(const std::string &place, bool is_being_written);
  /// Where sync says how far it is.
  void count_in(const Progress &progress) { progress_ = progress; }

  // Names are paths below it.
  bool has(const std::string &name) const;
  /// Closed where there is none.
  PositionalFile opened(const std::string &name) const;
  /// All of a file that is no longer than `most_bytes`; nothing where there is none. Error(format) for a longer one.
  std::optional<std::string> text(const std::string &name, int64_t most_bytes, StoreCounters &counters) const;
  /// What is in the directory `name`; nothing where there is none.
  std::vector<Entry> entries(const std::string &name) const;

  /// Makes a file of these bytes, and the directories above it, in place of what has its name. `at_once`: who reads
  /// meanwhile finds the old one or the new one, also after a kill or a power loss.
  void write(const std::string &name, std::span<iovec> parts, bool at_once, StoreCounters &counters);
  struct Text {
    std::string name, text;
  };
  /// The same of small files, each at once; they are put on the disk together.
  void write(const std::vector<Text> &texts, StoreCounters &counters);
  void make_directory(const std::string &name);
  /// Of the chunks of an array: with all that is below it; nothing where it is not there.
  void remove_chunks(const std::string &name);
  /// Removes what a kill has left, below the array `name`, of files that were to take their places at once.
  void remove_parts(const std::string &name);
  /// What was written and removed since it was last called is on the disk.
  void sync();

 private:
  std::string shown(const std::string &name) const { return path_ + "/" + name; }
  PositionalFile::Entry entry_of(const std::string &name) const;
  int directory_of(const std::string &above) const;
  void check_no_link(int directory, const std::string &part, const std::string &name) const;
  void forget_directory() const;
  PositionalFile made(const std::string &name, PositionalFile::Mode mode);
  PositionalFile made_for(const std::string &name);
  void take_place(const std::string &name);
  void sync_entries(const std::set<std::string> &entries);
  void has_changed(const std::string &name);

  std::string path_;
  int descriptor_ = -1;
  Links links_ = Links::refuse;
  Progress progress_;
  mutable std::string last_name_;    // of the directory below it that was used last, and its descriptor
  mutable int last_directory_ = -1;  // −1: none
  std::set<std::string> unsynced_;   // files
  std::set<std::string> changed_;    // directories whose names are not on the disk
};

}  // namespace sv::zarr
