// The directory of a Zarr group, held open by its descriptor: whatever becomes of its name, what is read and written
// below it is its own. Each rank that has a file open has one. Local.
#pragma once

#include <sys/uio.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "store/positional_file.hpp"

namespace sv::zarr {

/// Every function but the destructor throws the system's error, naming the path.
class Folder {
 public:
  Folder() = default;
  /// `told`: the name that errors tell. Error(not_found).
  explicit Folder(const std::string &path, std::string told = {});
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

  // Names are paths below it.
  bool has(const std::string &name) const;
  /// Closed where there is none.
  PositionalFile opened(const std::string &name) const;
  /// All of a file that is no longer than `most_bytes`; nothing where there is none. Error(format) for a longer one.
  std::optional<std::string> text(const std::string &name, int64_t most_bytes, StoreCounters &counters) const;
  /// What is in the directory `name`; nothing where there is none.
  std::vector<std::string> names(const std::string &name) const;

  /// Makes a file of these bytes, and the directories above it, in place of what has its name. `at_once`: who reads
  /// meanwhile finds the old one or the new one, also after a kill or a power loss.
  void write(const std::string &name, std::span<iovec> parts, bool at_once, StoreCounters &counters);
  void write(const std::string &name, const std::string &text, StoreCounters &counters);
  void make_directory(const std::string &name);
  /// With all that is below it; nothing where it is not there.
  void remove(const std::string &name);
  /// Removes what a kill has left, below `name`, of files that were to take their places at once.
  void remove_parts(const std::string &name);
  /// What was written and removed since it was last called is on the disk.
  void sync();

 private:
  std::string told(const std::string &name) const { return path_ + "/" + name; }
  /// The same for calls that take no descriptor.
  std::string place_of(const std::string &name) const {
    return "/proc/self/fd/" + std::to_string(descriptor_) + "/" + name;
  }
  PositionalFile made(const std::string &name);
  void sync_entry(const std::string &name) const;
  void has_changed(const std::string &name);

  std::string path_;
  int descriptor_ = -1;
  std::set<std::string> unsynced_;  // files
  std::set<std::string> changed_;   // directories whose names are not on the disk
};

/// Removes a directory and all below it, the metadata of the group first: who still reads it can then tell that a chunk
/// which is not there is not one that was never written.
void remove_group(const std::string &path);
constexpr const char *metadata_name = "zarr.json";

}  // namespace sv::zarr
