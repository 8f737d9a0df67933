// Files that were closed before they were put on the disk: remembered by name until somebody asks for that. No MPI.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/progress.hpp"

namespace sv {

/// What one rank has to synchronise. Memory is bounded: of too many files, those so far are synchronised at once.
class UnsyncedFiles {
 public:
  explicit UnsyncedFiles(size_t most = 1000) : most_(most) {}

  /// A file under this name was closed. `names`: this rank synchronises its directory, too.
  void remember(const std::string &path, bool names);
  /// Puts their data on the disk. What was removed since is left out; of what replaced one, that is synchronised.
  /// Throws the first error, also one of an earlier call: what the system could not write it does not try again.
  /// Counts each file as progress.
  void sync(const Progress &progress = {});
  /// And then their names: forgets those of which both succeeded. Throws like sync.
  void sync_names();
  size_t size() const { return files_.size(); }

 private:
  struct Entry {
    bool names = false, synced = false;
    std::optional<Error> failed{};
  };
  void throw_if_failed() const;

  size_t most_;
  std::map<std::string, Entry> files_;  // by absolute path
};

}  // namespace sv
