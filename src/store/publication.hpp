// The names of a file on its way to its readers (docs/adr/0008-commit.md): PATH.part while it is hidden, PATH, and
// PATH.complete next to a finished growing file. If PATH is a symbolic link, all of them are next to its target.
// Internal to the stores.
#pragma once

#include <string>
#include <utility>

#include "store/owner.hpp"
#include "store/positional_file.hpp"

namespace sv {

/// The owner's view. Every function but the last throws the system's error with the path.
class Publication {
 public:
  /// `named_at_once`: a new file stands at PATH from the beginning, where an older one is emptied; the file gets no
  /// marker.
  /// `stripes`: of a new file, where its file system takes requests for them.
  Publication(std::string path, Kind kind, bool named_at_once = false, const FileStripes &stripes = {})
      : path_(std::move(path)), kind_(kind), named_at_once_(named_at_once), stripes_(stripes) {}

  const std::string &path() const { return path_; }
  std::string part() const { return named_at_once_ ? target() : target() + ".part"; }
  Kind kind() const { return kind_; }
  bool named() const { return named_; }
  /// Whether it will take the place of an older file, where there is one.
  bool replaces() const { return !named_ && !is_exclusive_; }
  /// Where the file stands now.
  std::string place() const { return named_ ? target() : part(); }
  /// Where another rank finds it.
  std::string place_for(bool writing) const;
  /// The same for writing, opened. The owner, a thread of another rank, may give the file its name meanwhile.
  PositionalFile opened() const;

  /// Makes an empty file at part(), in place of the file of a crashed run, and keeps others from writing it until
  /// finish or abandon. The users of an older file at PATH are its users, too. Error(exists) if `exclusive` and PATH
  /// exists, then or when it is published; Error(access) while another writer has it, or if this process may not.
  void begin(bool exclusive);
  /// Keeps others from writing a file that stands under its name. Error(access) while somebody else does.
  void hold();
  const std::string &held_place() const { return target(); }
  /// The file itself, wherever it stands, from begin or hold on.
  PositionalFile &held() { return held_; }
  /// That file is written again: from now on it is a growing one. Its owner (`owner`) takes the marker away.
  void resume(bool owner = true);
  /// Another publication of this path goes on with it.
  void prepare_replacement() { held_ = {}; }
  /// Whether names are put on the disk, too, when they are given.
  void be_durable(bool durable) { durable_ = durable; }
  bool durable() const { return durable_; }
  /// Puts the name on the disk, where that was not done since it was given.
  void sync_name();
  /// Data were committed: publishes a growing file. Error(not_found) if its name was removed or replaced.
  void committed();
  /// The same error; nothing else.
  void check_own() const;
  /// The file is closed and whole: publishes it and, if growing, writes its marker.
  void finish();
  /// Whether the file stands where this one has put it.
  bool is_own() const noexcept;
  /// Removes a file that has no name yet, unless something else has got its name meanwhile; others may write it.
  void abandon() noexcept;

 private:
  const std::string &target() const;
  std::string marker() const { return target() + ".complete"; }
  void make_part(PositionalFile::Mode mode);
  void begin_at_once(bool exclusive);
  void remove_marker();
  void publish();

  std::string path_;
  mutable std::string target_;  // empty: not looked up yet
  Kind kind_;
  bool named_at_once_;
  FileStripes stripes_;
  PositionalFile held_;  // of the owner: has the lock, and identifies the file
  bool named_ = false, durable_ = false, synced_ = false;
  bool is_exclusive_ = false;  // nothing may have its name
  bool is_kept_ = false;       // under the other name, since something has
};

/// The error if the file written to `place`, for `path`, no longer has that name.
Error lost_name(const std::string &path, const std::string &place);

}  // namespace sv
