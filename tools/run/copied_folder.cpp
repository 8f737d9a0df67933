#include "copied_folder.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <stdexcept>

namespace sv_run {

namespace fs = std::filesystem;

namespace {

bool is_within(const fs::path &path, const fs::path &folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

class Copier {
 public:
  Copier(const fs::path &from, const fs::path &to, const std::vector<std::string> &wildcards)
      : from_(fs::canonical(from)), to_(to), wildcards_(wildcards) {}

  void copy_folder(const fs::path &from, const fs::path &to) {
    fs::create_directory(to);
    open_.push_back(fs::canonical(from));
    for (const fs::directory_entry &entry : fs::directory_iterator(from)) {
      const fs::path copy = to / entry.path().filename();
      if (entry.is_symlink())
        copy_link(entry.path(), copy);
      else
        copy_entry(entry.path(), copy);
    }
    open_.pop_back();
  }
  std::map<fs::path, Linked> originals() { return std::move(originals_); }

 private:
  void copy_entry(const fs::path &from, const fs::path &copy) {
    const fs::file_status status = fs::status(from);
    if (fs::is_directory(status)) return copy_folder(from, copy);
    if (!fs::is_regular_file(status)) return;
    if (matches(copy.filename())) return link_original(from, copy);
    fs::copy_file(from, copy);
    fs::last_write_time(copy, fs::last_write_time(from));  // what is written again shows, also with the same bytes
  }

  void copy_link(const fs::path &link, const fs::path &copy) {
    std::error_code broken;
    const fs::path target = fs::canonical(link, broken);
    if (broken) return;
    if (is_within(target, from_)) {
      const fs::path within = to_ / target.lexically_relative(from_);
      return fs::create_symlink(within.lexically_relative(copy.parent_path()), copy);
    }
    if (std::any_of(open_.begin(), open_.end(), [&](const fs::path &folder) { return is_within(folder, target); }))
      throw std::runtime_error("'" + link.string() + "' leads to '" + target.string() +
                               "', a folder that contains it, which cannot be copied. Remove this link, or run the "
                               "program elsewhere");
    copy_entry(target, copy);
  }

  void link_original(const fs::path &original, const fs::path &copy) {
    originals_.emplace(original, Linked{fs::last_write_time(original), fs::file_size(original)});
    fs::create_symlink(original, copy);
  }

  bool matches(const fs::path &name) const {
    return std::any_of(wildcards_.begin(), wildcards_.end(),
                       [&](const std::string &wildcard) { return fnmatch(wildcard.c_str(), name.c_str(), 0) == 0; });
  }

  const fs::path from_, to_;
  const std::vector<std::string> &wildcards_;
  std::vector<fs::path> open_;  // the folders that are being copied, each in the one before
  std::map<fs::path, Linked> originals_;
};

}  // namespace

std::map<fs::path, Linked> copy_folder(const fs::path &from, const fs::path &to,
                                       const std::vector<std::string> &wildcards) {
  Copier copier(from, to, wildcards);
  copier.copy_folder(from, to);
  return copier.originals();
}

std::vector<std::string> changed(const std::map<fs::path, Linked> &originals) {
  std::vector<std::string> found;
  for (const auto &[path, before] : originals) {
    std::error_code gone;
    const Linked now{fs::last_write_time(path, gone), fs::file_size(path, gone)};
    if (gone || now != before) found.push_back(path.string());
  }
  return found;
}

}  // namespace sv_run
