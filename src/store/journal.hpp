// The changes of a commit to a file's metadata: PLACE.journal contains the old and the new contents meanwhile
// (docs/adr/0035-commits-of-netcdf4.md). After a kill, the next writer completes the commit, and readers read the new
// contents. The store netcdf4 keeps one. Internal to the stores.
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

/// The name of the journal of the file at `place`.
std::string journal_of(const std::string &place);

/// The owner's, of a file that it holds locked. Local.
class Journal {
 public:
  explicit Journal(const std::string &place) : path_(journal_of(place)) {}

  /// Makes these changes to `file`: a kill at any moment leaves what complete_commit completes. With
  /// `on_disk`, each step is on the disk before the next. After an error, the file has its old contents again; if they
  /// cannot be written either, the journal stays, as after a kill.
  void commit(PositionalFile &file, const Commit &commit, bool on_disk, StoreCounters &counters);
  /// Unless there is something to complete.
  void remove();

 private:
  std::vector<Change> keep(PositionalFile &file, const Commit &commit, bool on_disk, StoreCounters &counters);
  const std::string path_;
  PositionalFile journal_;
};

/// The part of an interrupted commit that is not in the file yet.
struct UnfinishedCommit {
  std::vector<Change> changes;
  int64_t end_bytes = 0;             // the file is to have at least so many; 0: it has them
  bool has_foreign_journal = false;  // which is not believed (companion.hpp)

  bool is_empty() const { return changes.empty() && end_bytes == 0; }
  /// Puts what these changes say of bytes of the file, from `offset_bytes` on, over the file's own.
  void apply(int64_t offset_bytes, std::span<std::byte> bytes) const;
};

/// Completes an interrupted commit, if there is one: called by the holder of the lock of the file at `place`, before
/// anything else. Later changes of others stay. Removes the journal. Error(access) if the journal is not trusted.
void complete_commit(PositionalFile &file, const std::string &place);

/// The same of the file at `path`, before another library opens it to write; nothing while its writer lives.
void complete_commit_at(const std::string &path);

/// For a reader of the file at `path`: the bytes that replace its own. Waits a moment for a writer in the middle of a
/// commit. Writes nothing.
UnfinishedCommit unfinished_commit_of(const std::string &path);

}  // namespace sv
