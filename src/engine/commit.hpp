// Commit: data first, then the record count (docs/adr/0008-commit.md). Collective.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "file/file.hpp"

namespace sv {

/// Commits the puts of a writable file: fills cells that committed records were not given (at the `last` commit, fixed
/// variables too), syncs if required, and makes the records count. An error fails the file and is thrown on every rank.
void commit(File &file, const std::string &call, bool last);

/// Whether some rank has passed `stop`; up to which request to threads everything is done, on all ranks; and the first
/// error of the files.
struct StepEnd {
  bool stops;
  int64_t done;
  std::optional<Error> complaint;
};
/// Commits each of the files; one that fails, or has failed, does not keep the others from it.
StepEnd commit_step(Context &context, const std::vector<File *> &files, bool stop);

// The parts of a commit. Collective.

/// Completes the values in records that will count: at the `last` commit, fixed variables too. Then calls `finally`, if
/// given.
void complete_data(File &file, const std::string &call, bool last, const std::function<void()> &finally = nullptr);
/// All that comes before the count of a file that these ranks write in their calls. An error does not fail the file
/// yet.
void prepare_count(File &file, const std::string &call, bool last);
/// Local. Whether a commit would fill nothing, once `more` is put.
bool all_is_put(const File &file, bool last, std::span<const WrittenSlab> more);
/// Local, on the rank that does it: counts the records.
void count_records(File &file);
/// Local: all know that it counts.
void end_count(File &file, bool last);
/// Reports that the values count, or will.
void end_commit(File &file);

/// Files whose count lags behind the disk count all that was committed.
void catch_up(Context &context);

/// In a context that writes behind its calls: waits until no value is pending and all committed records count.
/// Throws the first error of a file; the others proceed all the same. A SuppressDeferredErrors lives.
void finish_behind(Context &context);

/// Commits one file, if it may be written.
void sync(File &file);

}  // namespace sv
