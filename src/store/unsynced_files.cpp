#include "store/unsynced_files.hpp"

#include <filesystem>
#include <set>

#include "store/file_name.hpp"
#include "store/positional_file.hpp"

namespace sv {

namespace {

/// The absolute path of a file. A failure is reported by the later opening.
std::string place_of(const std::string &path) {
  std::string place = path;
  caught(-1, [&] { place = target_of(path, false); });
  std::error_code none;
  const auto absolute = std::filesystem::absolute(place, none);
  return none ? place : absolute.string();  // "link/.." is not the directory of "link"
}

}  // namespace

void UnsyncedFiles::remember(const std::string &path, bool names) {
  if (files_.size() >= most_) {
    caught(-1, [this] { sync(); });  // kept, and reported on request
    caught(-1, [this] { sync_names(); });
  }
  files_[place_of(path)] = {names, false};
}

void UnsyncedFiles::sync(const Progress &progress) {
  for (auto &[path, entry] : files_) {
    if (entry.failed) continue;
    entry.failed = caught(-1, [&name = path, &progress] { sync_file(name, progress); });
    entry.synced = !entry.failed;
  }
  throw_if_failed();
}

void UnsyncedFiles::sync_names() {
  std::set<std::string> done;
  for (auto &[path, entry] : files_) {
    if (!entry.names || !entry.synced) continue;
    if (!done.insert(std::filesystem::path(path).parent_path()).second) continue;
    const auto failed = caught(-1, [&name = path] { sync_directory_of(name); });
    entry.failed = failed;
  }
  std::erase_if(files_, [](const auto &each) { return each.second.synced && !each.second.failed; });
  throw_if_failed();
}

void UnsyncedFiles::throw_if_failed() const {
  for (const auto &[path, entry] : files_)
    if (entry.failed) throw Error(*entry.failed);
}

}  // namespace sv
