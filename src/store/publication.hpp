// The names of a file on its way to its readers (docs/adr/0008-commit.md): PATH.part while nobody may see it, PATH, and
// PATH.complete beside a growing file that was finished. Internal to the stores.
#pragma once

#include <string>
#include <utility>

#include "store/store.hpp"

namespace sv {

/// The owner's view. Every function but the last throws the system's error with the path.
class Publication {
 public:
  Publication(std::string path, Kind kind) : path_(std::move(path)), kind_(kind) {}

  const std::string &path() const { return path_; }
  std::string part() const { return path_ + ".part"; }
  Kind kind() const { return kind_; }
  bool named() const { return named_; }
  /// Where the file stands now.
  std::string place() const { return named_ ? path_ : part(); }
  /// Where another rank finds it.
  std::string place_for(bool writing) const;

  /// Before the file is made at part(): checks the name, and removes what a crashed run left. Error(exists) when
  /// `exclusive` and PATH is there.
  void begin(bool exclusive);
  /// A file that stands under its name is written again: from now on it is a growing one. Its owner (`owner`) takes the
  /// marker away.
  void resume(bool owner = true);
  /// From now on, names are put on the disk, too.
  void make_durable() { durable_ = true; }
  bool durable() const { return durable_; }
  /// Data were committed: a growing file gets its name.
  void committed();
  /// The file is closed and whole: it gets its name and, if growing, its marker.
  void finish();
  /// Removes a file that has no name yet.
  void abandon() noexcept;

 private:
  std::string marker() const { return path_ + ".complete"; }
  void publish();

  std::string path_;
  Kind kind_;
  bool named_ = false, durable_ = false;
};

}  // namespace sv
