// Durability: synchronises files, and returns the number of durable steps (docs/adr/0008-commit.md, 0030). A file knows
// the first step that is not on the disk; the context remembers a closed file until its data are needed on the disk.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "file/file.hpp"

namespace sv {

/// Whether its count lags behind the writing or, with durability: ordered, behind the disk; except for stores whose
/// libraries count, and for files of servers.
bool counts_behind(const File &file);
/// Whether commits return when what they count is on the disk: as asked for, or because other hosts would not see it
/// otherwise.
bool syncs_commits(const File &file);
/// Whether this one does, the `last` or another.
bool syncs_commit(const File &file, bool last);
/// Whether a thread of each rank that writes it synchronises it, step by step.
bool syncs_behind(const File &file);

// Local, of this rank's handle.

/// Puts what this rank has written on the disk; nothing where it has not opened the file. And the name; nothing but on
/// the rank that gives it.
void sync_attached(File &file);
void sync_name(File &file);
/// Whether commits return, from now on, when what they write and name is on the disk.
void be_durable(File &file, bool durable);
/// Makes records count, on the ranks that do that; −1: no more than before. Publishes the name with the first record.
/// Throws the error of this rank's thread.
void count(File &file, int64_t records);
/// Called with agreement of all ranks: `synced` is on the disk, and the records that count now will be with `number`.
/// Returns the job of this rank's thread; nullptr: nothing.
std::shared_ptr<SyncJob> counted(File &file, int64_t synced, int64_t number);
/// Before a commit that waits: synchronises lagging records. Throws the error of the thread.
void finish_syncing(File &file);
/// For a file that is closed, or was abandoned with its committed records: its writers will synchronise it by its name.
void leave_to_be_synced(File &file);

// Collective.

/// " 'ocean.nc' 3 records": the subject of a commit, in words that are equal on all ranks.
std::string with_records(const File &file);
/// A step of a commit, or on the way to the disk: this rank does it, and passes a gate. Throws the same error
/// everywhere.
void step(File &file, const std::string &call, const std::function<void()> &action);
/// Everything that is committed in a file is on the disk, with the name under which it stands. An error fails the file.
void put_on_disk(File &file);
/// The same of files that were closed.
void put_closed_on_disk(Context &context);
/// The same of all files of a context. The first error is thrown when all have been tried.
void put_on_disk(Context &context);
/// Local. How many steps are known to be on the disk, with all before them.
int64_t durable_steps(const Context &context);

}  // namespace sv
