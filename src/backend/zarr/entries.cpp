#include "backend/zarr/entries.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace sv::zarr {

namespace {

constexpr int most_depth = 128;  // of groups and chunks together

/// A directory that is open, below another one.
class OpenDirectory {
 public:
  OpenDirectory(int above, const char *name, const std::string &path)
      : descriptor_(::openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
    if (descriptor_ < 0 && errno != ENOENT) throw system_error(errno, "cannot open the directory", path);
  }
  ~OpenDirectory() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenDirectory(const OpenDirectory &) = delete;
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char each) { return each >= '0' && each <= '9'; });
}

/// "c", "0", "0.1", "c.0.1"
bool is_chunk(std::string_view name) {
  if (name == "c") return true;
  if (name.starts_with("c.")) name.remove_prefix(2);
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    if (!is_number(name.substr(0, dot))) return false;
    name.remove_prefix(dot + 1);
  }
  return is_number(name);
}

bool is_metadata(std::string_view name) {
  constexpr std::array names{metadata_name, netcdf_name, ".zgroup", ".zarray", ".zattrs", ".zmetadata"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The name without the suffix of a file that replaces another: ours, or zarr-python's, which puts 32 digits in place
/// of the text after the last point.
std::string_view whole_name(std::string_view name, bool &is_part) {
  constexpr std::string_view ours = part_ending, theirs = ".partial";
  constexpr size_t digits = 32;
  is_part = true;
  if (name.ends_with(ours)) return name.substr(0, name.size() - ours.size());
  if (name.ends_with(theirs) && name.size() > theirs.size() + digits + 1) {
    name.remove_suffix(theirs.size());
    const std::string_view number = name.substr(name.size() - digits), rest = name.substr(0, name.size() - digits);
    if (rest.ends_with('.') && number.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      const std::string_view whole = rest.substr(0, rest.size() - 1);
      return whole == "zarr" ? std::string_view(metadata_name) : whole;
    }
  }
  is_part = false;
  return name;
}

/// Whether an array or a group of its own is in the directory.
bool is_node(int directory) {
  for (const char *name : {metadata_name, ".zgroup", ".zarray"})
    if (::faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) return true;
  return false;
}

/// Whether these are what a kill or a power loss may leave of an array or a group that was begun: no metadata yet.
bool is_begun_node(const std::vector<Entry> &entries) {
  return std::all_of(entries.begin(), entries.end(), [](const Entry &each) {
    bool is_part = false;
    const std::string_view whole = whole_name(each.name, is_part);
    return each.kind == EntryKind::directory ? each.name == "c" : each.kind == EntryKind::file && is_metadata(whole);
  });
}

/// Goes through everything below a directory, and removes it or not.
class Tree {
 public:
  enum class Inside { node, chunks };
  Tree(std::string path, bool removes, const Progress &progress)
      : path_(std::move(path)), removes_(removes), progress_(progress) {}

  /// The first name that no group has; where such names are to be left over, one of them.
  std::string walk(int directory, const std::string &prefix, Inside inside, int depth = 0);

 private:
  std::string visit(int directory, const Entry &entry, const std::string &place, Inside inside, int depth);

  const std::string path_;
  const bool removes_;
  const Progress progress_;
};

std::string Tree::visit(int directory, const Entry &entry, const std::string &place, Inside inside, int depth) {
  bool is_part = false;
  const std::string_view whole = whole_name(entry.name, is_part);
  if (entry.kind == EntryKind::other || depth > most_depth) return place;
  if (entry.kind == EntryKind::file) {
    const bool is_ours = is_chunk(whole) || (inside == Inside::node && is_metadata(whole));
    if (!is_ours) return place;
    if (removes_ && ::unlinkat(directory, entry.name.c_str(), 0) != 0 && errno != ENOENT)
      throw system_error(errno, "cannot remove the file", path_ + "/" + place);
    return "";
  }
  std::string found;
  {
    const OpenDirectory below(directory, entry.name.c_str(), path_ + "/" + place);
    if (!below) return "";
    const bool has_chunks = is_chunk(entry.name) && (inside == Inside::chunks || !is_node(below.get()));
    if (inside == Inside::chunks && !has_chunks) return place + "/";
    if (!has_chunks && !is_node(below.get()) && !is_begun_node(entries_of(below.get(), path_ + "/" + place)))
      return place + "/";
    found = walk(below.get(), place + "/", has_chunks ? Inside::chunks : Inside::node, depth + 1);
  }
  if (removes_ && found.empty() && ::unlinkat(directory, entry.name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT)
    throw system_error(errno, "cannot remove the directory", path_ + "/" + place);
  return found;
}

std::string Tree::walk(int directory, const std::string &prefix, Inside inside, int depth) {
  std::string first;
  for (const Entry &entry : entries_of(directory, path_)) {
    std::string found = visit(directory, entry, prefix + entry.name, inside, depth);
    progress_.count();
    if (found.empty()) continue;
    if (!removes_) return found;
    if (first.empty()) first = std::move(found);
  }
  return first;
}

}  // namespace

std::vector<Entry> entries_of(int directory, const std::string &path) {
  const int again = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // closed with the listing
  DIR *const listing = again < 0 ? nullptr : ::fdopendir(again);
  if (listing == nullptr) {
    const int error = errno;
    if (again >= 0) ::close(again);
    throw system_error(error, "cannot list the directory", path);
  }
  std::vector<Entry> all;
  errno = 0;
  while (const dirent *const each = ::readdir(listing)) {
    const std::string name = each->d_name;
    if (name == "." || name == "..") continue;
    struct stat status {};
    unsigned char type = each->d_type;
    if (type == DT_UNKNOWN && ::fstatat(directory, each->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
      type = S_ISREG(status.st_mode) ? DT_REG : S_ISDIR(status.st_mode) ? DT_DIR : DT_LNK;
    all.push_back({name, type == DT_REG ? EntryKind::file : type == DT_DIR ? EntryKind::directory : EntryKind::other});
    errno = 0;
  }
  const int error = errno;
  ::closedir(listing);
  if (error != 0) throw system_error(error, "cannot list the directory", path);
  std::sort(all.begin(), all.end(), [](const Entry &a, const Entry &b) { return a.name < b.name; });
  return all;
}

std::string foreign_name(const std::string &path, const Progress &progress) {
  const OpenDirectory group(AT_FDCWD, path.c_str(), path);
  return group ? Tree(path, false, progress).walk(group.get(), "", Tree::Inside::node) : "";
}

void remove_chunks(int directory, const std::string &name, const std::string &path, const Progress &progress) {
  const auto removed = [&](int flags) { return ::unlinkat(directory, name.c_str(), flags) == 0 || errno == ENOENT; };
  struct stat status {};
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISREG(status.st_mode) && !removed(0))
    throw system_error(errno, "cannot remove uncommitted files", path + "/" + name);
  if (!S_ISDIR(status.st_mode)) return;
  std::string other;
  {
    const OpenDirectory chunks(directory, name.c_str(), path);
    if (!chunks) return;
    other = Tree(path, true, progress).walk(chunks.get(), "", Tree::Inside::chunks);
  }
  if (other.empty() && !removed(AT_REMOVEDIR))
    throw system_error(errno, "cannot remove uncommitted files", path + "/" + name);
}

void remove_parts(int directory, const std::string &path, const Progress &progress, int depth) {
  if (depth > most_depth) return;
  for (const Entry &entry : entries_of(directory, path)) {
    bool is_part = false;
    progress.count();
    const std::string_view whole = whole_name(entry.name, is_part);
    if (entry.kind == EntryKind::directory && is_chunk(entry.name)) {
      const OpenDirectory below(directory, entry.name.c_str(), path);
      if (below) remove_parts(below.get(), path, progress, depth + 1);
    } else if (entry.kind == EntryKind::file && is_part && (is_chunk(whole) || is_metadata(whole))) {
      if (::unlinkat(directory, entry.name.c_str(), 0) != 0 && errno != ENOENT)
        throw system_error(errno, "cannot remove leftovers", path + "/" + entry.name);
    }
  }
}

void remove_group(const std::string &path, const Progress &progress) {
  {
    const OpenDirectory group(AT_FDCWD, path.c_str(), path);
    if (!group) return;
    if (::unlinkat(group.get(), metadata_name, 0) != 0 && errno != ENOENT)
      throw system_error(errno, "cannot remove the file", path + "/" + metadata_name);
    if (!Tree(path, true, progress).walk(group.get(), "", Tree::Inside::node).empty()) return;
  }
  if (::rmdir(path.c_str()) != 0 && errno != ENOENT) throw system_error(errno, "cannot remove an old directory", path);
}

}  // namespace sv::zarr
