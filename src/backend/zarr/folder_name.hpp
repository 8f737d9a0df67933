// The names of a Zarr group on its way to its readers: PATH.part while it is invisible to them, PATH, and
// PATH.complete next to a growing one that was finished. Publication (store/publication.hpp) does the same for a
// file; the owner's store has one.
#pragma once

#include <string>
#include <utility>

#include "backend/zarr/folder.hpp"
#include "store/owner.hpp"

namespace sv::zarr {

/// Every function but abandon throws the system's error with the path.
class FolderName {
 public:
  FolderName(std::string path, Kind kind, const Progress &progress)
      : path_(std::move(path)), kind_(kind), progress_(progress) {}

  Kind kind() const { return kind_; }
  std::string part() const { return target() + ".part"; }
  std::string place() const { return named_ ? target() : part(); }
  /// Where another rank finds it.
  std::string place_for(bool writing) const;

  /// Makes an empty directory at part(), instead of the leftovers of a crashed run, and keeps others from writing it
  /// until finish or abandon. Error(exists) when `exclusive` and PATH is there. Error(access) while another process
  /// writes it, if PATH is a directory but no Zarr group, or if a store has not left the entry at part() or old(). An
  /// older group keeps its owner and permissions.
  void begin(bool exclusive);
  /// Keeps others from writing one that stands under its name. Error(access) while somebody else does.
  void hold() { hold(target()); }
  /// That one is written again: it is a growing one from now on. `owner`: removes what a crashed run left.
  void resume(bool owner);
  void sync_name();
  /// Renames a growing one to its name. Error(not_found) if another process has removed or replaced it.
  void committed();
  /// The group is complete: renames it and, if growing, makes its marker.
  void finish();
  /// Removes one that has no name yet.
  void abandon() noexcept;

 private:
  const std::string &target() const;
  std::string marker() const { return target() + ".complete"; }
  std::string old() const { return target() + ".gone"; }
  void remove_old();
  void hold(const std::string &place);
  void check_own() const;
  void publish();
  void replace();

  const std::string path_;
  mutable std::string target_;  // empty: not looked up yet
  Kind kind_;
  const Progress progress_;
  Folder held_;         // on the owner: has the lock, and identifies the directory
  bool named_ = false;  // a growing one is from its first commit on
  bool synced_ = false;
  bool is_exclusive_ = false;  // nothing may have its name
  bool is_kept_ = false;       // under the other name, since something has
  bool has_old_ = false;       // at old(): it may still be read, until the first commit of this one
};

}  // namespace sv::zarr
