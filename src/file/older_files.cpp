#include "file/older_files.hpp"

#include <algorithm>
#include <utility>

#include "file/divided.hpp"
#include "file/file.hpp"
#include "file/home.hpp"
#include "file/steps.hpp"
#include "store/names_on_disk.hpp"
#include "store/set_run.hpp"

namespace sv {

namespace {

/// A file that cannot be read counts as one of no run: a set that has it cannot be opened anyway.
int64_t run_of_file(const std::string &path, const FileSettings &settings) {
  int64_t run = 0;
  caught(-1, [&] { run = run_of(read_definitions(kind_at(path, settings), path, settings.untrusted)); });
  return run;
}

}  // namespace

int64_t new_run(const File &file) {
  const std::vector<Territory> pieces = file.home().pieces(0);
  if (file.naming.variable_template.empty() && pieces.empty()) return 0;
  int64_t run = 0;
  for (const auto &[path, writes] : written_files(file, pieces))
    if (writes && presence_of(path) != Presence::absent) run = std::max(run, run_of_file(path, file.settings()) + 1);
  return run;
}

void number_run(File &file, const std::string &call) {
  if (file.naming.variable_template.empty() && file.home().pieces(0).empty()) return;
  int64_t run = 0;
  const auto failed = caught(file.context().rank(), [&] { run = new_run(file); });
  const auto step = [&failed] {
    if (failed) throw Error(*failed);
  };
  file.naming.run = agree(file, call + ", files of older runs", -1, step, Max(run));
}

void remove_older(const File &file) {
  const bool is_set = file.mode == Mode::data && !file.home().pieces(0).empty();
  if (file.context().rank() != owner_rank || !is_set ||
      file.found->of(file.found->pieces.path_of(file.place(), 0)).is_known())
    return;
  if (file.naming.is_exclusive && presence_itself(file.place()) != Presence::absent)
    throw Error(Status::exists, "something else has got its name while it was written, and is found before the set",
                "Give one of them another name")
        .in_file(file.path());
  if (!remove_file(file.place()) || file.settings().durability == Durability::written) return;
  sync_directory_of(file.place());
}

}  // namespace sv
