// What a commit is about to change of a file's metadata, kept beside the file meanwhile as PLACE.journal
// (docs/adr/0035-commits-of-netcdf4.md): as it was and as it shall be. After a kill, who opens the file to write it
// completes the commit, and who reads it reads what the file will then have. The store netcdf4 keeps one. Internal to
// the stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/positional_file.hpp"

namespace sv {

/// Bytes that are to stand in a file.
struct Change {
  int64_t offset_bytes;
  std::vector<std::byte> bytes;
};

struct Commit {
  std::span<const Change> changes;  // in the order in which they are made
  int64_t end_bytes;                // the file has at least so many
};

/// The name of the journal beside the file at `place`.
std::string journal_of(const std::string &place);

/// The owner's, of a file that it holds locked. Local.
class Journal {
 public:
  explicit Journal(const std::string &place) : path_(journal_of(place)) {}

  /// Makes these changes to `file`: a kill at any moment leaves what complete_commit completes. With
  /// `on_disk`, each step is on the disk before the next. After an error before the first change, nothing has changed;
  /// after a later one, the journal stays as it is.
  void commit(PositionalFile &file, const Commit &commit, bool on_disk, StoreCounters &counters);
  /// Unless there is something to complete.
  void remove();

 private:
  void keep(PositionalFile &file, const Commit &commit, bool on_disk, StoreCounters &counters);
  const std::string path_;
  PositionalFile beside_;
};

/// What a file has not taken over yet of a commit that was interrupted.
struct UnfinishedCommit {
  std::vector<Change> changes;
  int64_t end_bytes = 0;             // the file is to have at least so many; 0: it has them
  bool has_foreign_journal = false;  // which is not believed (companion.hpp)

  bool is_empty() const { return changes.empty() && end_bytes == 0; }
  /// Puts what these changes say of bytes of the file, from `offset_bytes` on, over the file's own.
  void apply(int64_t offset_bytes, std::span<std::byte> bytes) const;
};

/// Completes the commit that was interrupted, where there is one: by whoever holds the file at `place` locked, before
/// anything else is done with it. What was changed by others since then stays. Removes the journal. Error(access) where
/// the journal is not to be believed.
void complete_commit(PositionalFile &file, const std::string &place);

/// For who only reads the file at `path`: what is to be read in place of its own bytes. A writer that is in the middle
/// of a commit has a moment to end it. Writes nothing.
UnfinishedCommit unfinished_commit_of(const std::string &path);

}  // namespace sv
