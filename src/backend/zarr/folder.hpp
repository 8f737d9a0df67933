// The directory of a Zarr group, whose files are objects. It is held open by its descriptor: reads and writes below
// it reach this directory, even if its name changes. Writing follows no symbolic link below it. Each rank that has a
// file open has one. Local.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/zarr/entries.hpp"
#include "base/progress.hpp"
#include "store/objects.hpp"
#include "store/positional_file.hpp"

namespace sv::zarr {

/// Every function but the destructor throws the system's error, naming the path; where links are refused,
/// Error(access) for one on the way.
class Folder final : public Objects {
 public:
  /// What becomes of symbolic links below it. The directory itself may be named by one.
  enum class Links { refuse, follow };

  Folder() = default;
  /// `shown`: the name in errors. Error(not_found).
  explicit Folder(const std::string &path, std::string shown = {}, Links links = Links::refuse);
  /// `progress`: where sync says how far it is.
  Folder(const std::string &path, std::string shown, Links links, const Progress &progress)
      : Folder(path, std::move(shown), links) {
    progress_ = progress;
  }
  Folder(Folder &&other) noexcept;
  Folder &operator=(Folder &&other) noexcept;
  ~Folder() override;

  bool is_open() const { return descriptor_ >= 0; }
  void close();
  /// Whether `path` itself, no link, names it.
  bool is_at(const std::string &path) const;
  /// As those of PositionalFile: afterwards no other process gets this lock.
  bool lock();
  void take_rights_at(const std::string &place, bool is_being_written);

  bool has(const std::string &name) const override;
  std::unique_ptr<Object> open(const std::string &name) const override;
  std::vector<Entry> list(const std::string &prefix) const override;
  /// Makes the directories above it.
  void put(const std::string &name, std::span<iovec> parts, bool at_once, StoreCounters &counters) override;
  void put(const std::vector<Text> &texts, StoreCounters &counters) override;
  void remove_chunks(const std::string &name) override;
  void remove_parts(const std::string &name) override;
  void sync() override;

 private:
  std::string shown(const std::string &name) const { return path_ + "/" + name; }
  PositionalFile::Entry entry_of(const std::string &name) const;
  int directory_of(const std::string &above) const;
  void check_no_link(int directory, const std::string &part, const std::string &name) const;
  void forget_directory() const;
  PositionalFile opened(const std::string &name) const;
  void make_directory(const std::string &name);
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
  static constexpr size_t most_unsynced = 4096;
  std::set<std::string> unsynced_;  // files
  std::set<std::string> changed_;   // directories whose names are not on the disk
};

}  // namespace sv::zarr
