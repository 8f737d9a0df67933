#include "store/names_on_disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "store/directory.hpp"
#include "store/syncing.hpp"
#include "store/whole_writes.hpp"

namespace sv {

namespace {

Presence kind_of(mode_t mode) {
  if (S_ISREG(mode)) return Presence::file;
  if (S_ISDIR(mode)) return Presence::directory;
  return S_ISLNK(mode) ? Presence::link : Presence::other;
}

Presence presence_by(int (*look)(const char *, struct stat *), const std::string &path) {
  struct stat status {};
  if (look(path.c_str(), &status) == 0) return kind_of(status.st_mode);
  if (errno == ENOENT) return Presence::absent;
  throw system_error(errno, "cannot look at the path", path);
}

}  // namespace

void rename_file(const std::string &from, const std::string &to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw system_error(errno, "cannot rename '" + from + "' to its final name", to);
}

namespace {

bool is_one_file(const std::string &one, const std::string &other) {
  struct stat first {
  }, second{};
  return ::lstat(one.c_str(), &first) == 0 && ::lstat(other.c_str(), &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

/// For file systems that cannot rename so, NFS among them. There, a link that was made may be reported as one that was
/// there before.
bool link_to_new(const std::string &from, const std::string &to) {
  if (::link(from.c_str(), to.c_str()) == 0 || (errno == EEXIST && is_one_file(from, to))) return remove_file(from);
  if (errno == EEXIST) return false;
  if (presence_itself(to) != Presence::absent) return false;
  rename_file(from, to);  // it has no links, or this is a directory
  return true;
}

}  // namespace

bool rename_to_new(const std::string &from, const std::string &to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) return link_to_new(from, to);
  throw system_error(errno, "cannot rename '" + from + "' to its final name", to);
}

bool remove_file(const std::string &path) {
  const bool removed = ::unlink(path.c_str()) == 0;
  if (!removed && errno != ENOENT) throw system_error(errno, "cannot remove an old file", path);
  return removed;
}

void remove_if_allowed(const std::string &path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT || errno == EPERM || errno == EACCES) return;
  throw system_error(errno, "cannot remove an old file", path);
}

Presence presence_of(const std::string &path) { return presence_by(::stat, path); }

Presence presence_itself(const std::string &path) { return presence_by(::lstat, path); }

namespace {

// Without O_NONBLOCK, the file could be a pipe without a writer.
void sync_one(const std::string &path, int flags = 0) {
  const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags); });
  if (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR)) return;
  // In a directory, others may keep their own files: links, sockets, files that this process may not read.
  if (descriptor < 0 && flags != 0 && (errno == ELOOP || errno == ENXIO || errno == EACCES || errno == EPERM)) return;
  struct stat status {};
  const bool known = descriptor >= 0 && ::fstat(descriptor, &status) == 0;
  const bool is_data = known && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  const bool synced = known && (!is_data || uninterrupted([&] { return ::fsync(descriptor); }) == 0);
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) throw system_error(error, "cannot put the file on the disk", path);
}

/// A file by itself; a directory after all that is in it.
void list(const std::string &path, std::vector<std::string> &files, std::vector<std::string> &directories) {
  if (presence_itself(path) != Presence::directory) return files.push_back(path);
  std::error_code none;
  for (const auto &each : std::filesystem::directory_iterator(path, none)) list(each.path(), files, directories);
  directories.push_back(path);
}

}  // namespace

void sync_file(const std::string &path, const Progress &progress) {
  if (presence_of(path) != Presence::directory) {
    sync_one(path);
    return progress.count();
  }
  std::vector<std::string> files, directories;
  list(path + "/", files, directories);
  for (const auto *each : {&files, &directories})
    sync_many(std::ssize(*each), progress, [each](size_t number) { sync_one((*each)[number], O_NOFOLLOW); });
}

void sync_directory_of(const std::string &path) {
  const std::string directory = directory_of(path);
  const int descriptor = uninterrupted([&] { return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  const bool synced = descriptor >= 0 && uninterrupted([&] { return ::fsync(descriptor); }) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced)
    throw system_error(error, "cannot put the name of the file on the disk (directory '" + directory + "')", path);
}

}  // namespace sv
