#include "store/name_set.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "store/directory.hpp"
#include "store/file_name.hpp"

namespace sv {

namespace {

/// Of links that lead to each other, which whoever opens the file is told: the path.
std::string followed(const std::string &path) {
  try {
    return target_of(path, false);
  } catch (const Error &) {
    return path;
  }
}

/// A published file is not there before it is complete, and a link to it leads nowhere.
std::string destination_of(const std::string &path) {
  const std::filesystem::path target = followed(path);
  struct stat directory {};
  if (::stat(directory_of(target).c_str(), &directory) != 0) return target.lexically_normal();
  return std::to_string(directory.st_dev) + ":" + std::to_string(directory.st_ino) + "/" + target.filename().string();
}

bool has_hard_links(const std::string &path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 1;
}

bool are_one_file(const std::string &one, const std::string &other) {
  std::error_code unknown;
  return std::filesystem::equivalent(one, other, unknown);
}

}  // namespace

const std::string &FileName::destination() const {
  if (!destination_) destination_ = destination_of(path_);
  return *destination_;
}

bool FileName::is_of_file(const FileName &other) const {
  if (path_ == other.path_ || destination() == other.destination()) return true;
  return has_hard_links(path_) && are_one_file(path_, other.path_);
}

void NameSet::add(const std::string &path) {
  if (names_.insert(path).second) unasked_.push_back(path);
}

bool NameSet::has_file_of(const std::string &path) {
  if (has(path)) return true;
  for (const std::string &each : unasked_) destinations_.insert(destination_of(each));
  unasked_.clear();
  if (destinations_.count(destination_of(path)) > 0) return true;
  return has_hard_links(path) &&
         std::any_of(names_.begin(), names_.end(), [&](const std::string &each) { return are_one_file(each, path); });
}

}  // namespace sv
