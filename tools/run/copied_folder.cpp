#include "copied_folder.hpp"

#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace sv_run {

namespace fs = std::filesystem;

namespace {

bool is_within(const fs::path &path, const fs::path &folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// For its owner alone, until it is full.
void make_folder(const fs::path &path) {
  if (mkdir(path.c_str(), S_IRWXU) != 0)
    throw fs::filesystem_error("a folder cannot be made", path, std::error_code(errno, std::generic_category()));
}

class Copier {
 public:
  Copier(const fs::path &from, const fs::path &to, const std::vector<std::string> &wildcards)
      : from_(fs::canonical(from)), to_(to), wildcards_(wildcards) {}

  /// `to` is there, and empty. In the end who may read `from` may read it, too.
  void fill_folder(const fs::path &from, const fs::path &to) {
    open_.push_back(fs::canonical(from));
    for (const fs::directory_entry &entry : fs::directory_iterator(from)) {
      const fs::path copy = to / entry.path().filename();
      if (entry.is_symlink())
        copy_link(entry.path(), copy);
      else
        copy_entry(entry.path(), copy);
    }
    open_.pop_back();
    fs::permissions(to, fs::status(from).permissions() | fs::perms::owner_all);
  }
  std::map<fs::path, Linked> originals() { return std::move(originals_); }

 private:
  void copy_entry(const fs::path &from, const fs::path &copy) {
    const fs::file_status status = fs::status(from);
    if (fs::is_directory(status)) {
      make_folder(copy);
      return fill_folder(from, copy);
    }
    if (!fs::is_regular_file(status)) return;
    if (matches(copy.filename())) return link_original(from, copy);
    fs::copy_file(from, copy);
    fs::last_write_time(copy, fs::last_write_time(from));  // a rewritten file is detected, also with the same bytes
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
  make_folder(to);
  try {
    copier.fill_folder(from, to);
  } catch (...) {
    std::error_code stays;
    fs::remove_all(to, stays);
    throw;
  }
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
