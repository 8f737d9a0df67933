#include "store/name_set.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <filesystem>

#include "base/error.hpp"
#include "store/directory.hpp"
#include "store/file_name.hpp"

namespace sv {

namespace {

/// For links that lead to each other, the path; the later opening reports them.
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

/// "" where a path begins nowhere else, or cannot.
std::string directory_around(const std::string &path) {
  constexpr size_t room_for_additions = 32;  // to the names of files, of sets, and of temporary files
  if (path.empty() || path.front() == '/') return "";
  std::error_code unknown;
  const std::string here = std::filesystem::current_path(unknown).string();
  if (unknown || here.empty() || here.front() != '/') return "";
  if (here.size() + 1 + path.size() + room_for_additions >= PATH_MAX) return "";
  return here.back() == '/' ? here : here + "/";
}

}  // namespace

FileName::FileName(std::string path) : FileName(directory_around(path), path) {}

FileName::FileName(std::string directory, std::string path)
    : path_(std::move(path)),
      directory_(path_.starts_with('/') ? std::string() : std::move(directory)),
      place_(directory_ + path_) {}

FileName FileName::given_elsewhere(const std::string &path, const std::string &place) {
  return {place.ends_with(path) ? place.substr(0, place.size() - path.size()) : std::string(), path};
}

const std::string &FileName::destination() const {
  if (!destination_) destination_ = destination_of(place_);
  return *destination_;
}

bool FileName::is_of_file(const FileName &other) const {
  if (place_ == other.place_ || destination() == other.destination()) return true;
  return has_hard_links(place_) && are_one_file(place_, other.place_);
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
