// Files that were closed before they were put on the disk: remembered by name until somebody asks for that. No MPI.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/progress.hpp"

namespace sv {

/// The files that one rank has to synchronise. Memory is bounded: of too many files, those so far are synchronised
/// immediately.
class UnsyncedFiles {
 public:
  explicit UnsyncedFiles(size_t most = 1000) : most_(most) {}

  /// A file under this name was closed. `names`: this rank synchronises its directory, too.
  void remember(const std::string &path, bool names);
  /// Puts their data on the disk. Removed files are left out; of a replaced file, the new one is synchronised. Throws
  /// the first error, also one of an earlier call: the system does not retry failed writes. Counts each file as
  /// progress.
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
