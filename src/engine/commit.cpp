#include "engine/commit.hpp"

#include <algorithm>

#include "engine/owners.hpp"

namespace sv {

namespace {

constexpr int owner_rank = 0;

/// Runs `action` for every file; the first error fails its file and is returned.
std::optional<Error> for_each(const std::vector<File *> &files, int rank, const std::function<void(File &)> &action) {
  for (File *file : files) {
    auto error = caught(rank, [&] { action(*file); });
    if (error) {
      error->in_file(file->path());
      return error;
    }
  }
  return std::nullopt;
}

void complete_records(File &file, bool last) {
  // A growing file is readable from its first commit on, so its fixed variables are defined from then on.
  const bool fixed_too = last || (file.settings().kind == Kind::growing && file.pending_records() > 0);
  const int64_t records = file.pending_records();
  for (const auto &[variable, record] : file.untouched(records, fixed_too)) {
    if (file.settings().fill) fill_slab(file, variable, record);
    file.touch(variable, record);
  }
  if (file.settings().durability == Durability::on_disk) file.sync_attached();
}

void commit_files(Context &context, const std::vector<File *> &files, const std::string &call, bool last) {
  if (files.empty()) {
    context.agree(call, std::nullopt);
    return;
  }
  std::string which = call;
  for (const File *file : files) which += " '" + file->path() + "' " + std::to_string(file->pending_records());
  const auto fail_all = [&files](const Error &failure) {
    for (File *file : files) file->fail(failure);
  };
  try {
    context.agree(which, for_each(files, context.rank(), [last](File &file) {
                    file.check_writable();
                    complete_records(file, last);
                  }));
    context.agree(call + ", counted", for_each(files, context.rank(), [&context](File &file) {
                    if (context.rank() != owner_rank) return;
                    file.attached_store().commit(file.pending_records());
                    if (file.settings().durability == Durability::on_disk) file.sync_attached();
                  }));
  } catch (const Error &failure) {
    fail_all(failure);
    throw;
  }
  for (File *file : files) file->committed(file->pending_records());
}

}  // namespace

void commit(Context &context, const std::vector<File *> &files, const std::string &call) {
  commit_files(context, files, call, false);
}

void commit_all(File &file) {
  commit_files(file.context(), {&file}, "sv_close('" + file.path() + "'), committed", true);
}

}  // namespace sv
