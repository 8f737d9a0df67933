#include "store/file_identity.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

#include "base/error.hpp"
#include "base/host.hpp"

namespace sv {

namespace {

constexpr int64_t second_ns = 1000000000;

int64_t this_host() {
  static const auto host = static_cast<int64_t>(host_signature());
  return host;
}

/// 0 or the error. `name` is empty where the descriptor itself is meant.
int look(int descriptor, const char *name, FileIdentity &found) {
  struct statx status {};
  const int flags = *name == '\0' ? AT_EMPTY_PATH : 0;
  if (::statx(descriptor, name, flags, STATX_BASIC_STATS | STATX_BTIME, &status) == 0) {
    found.number = static_cast<int64_t>(status.stx_ino);
    found.device = static_cast<int64_t>(makedev(status.stx_dev_major, status.stx_dev_minor));
    found.modified_ns = status.stx_mtime.tv_sec * second_ns + status.stx_mtime.tv_nsec;
    if ((status.stx_mask & STATX_BTIME) != 0)
      found.born_ns = status.stx_btime.tv_sec * second_ns + status.stx_btime.tv_nsec;
  } else if (errno == ENOSYS || errno == EPERM) {  // an old kernel, or a container that refuses the call
    struct stat older {};
    if ((*name == '\0' ? ::fstat(descriptor, &older) : ::stat(name, &older)) != 0) return errno;
    found.number = static_cast<int64_t>(older.st_ino);
    found.device = static_cast<int64_t>(older.st_dev);
    found.modified_ns = older.st_mtim.tv_sec * second_ns + older.st_mtim.tv_nsec;
  } else {
    return errno;
  }
  found.host = this_host();
  return 0;
}

}  // namespace

bool FileIdentity::is_of_file(const FileIdentity &other) const {
  const bool is_one_host = host != 0 && host == other.host;
  const bool is_born_with = born_ns == 0 || other.born_ns == 0 || born_ns == other.born_ns;
  if (number == other.number && is_born_with && (!is_one_host || device == other.device)) return true;
  return !is_one_host && modified_ns != 0 && modified_ns == other.modified_ns;
}

FileIdentity identity_of(int descriptor, const std::string &path) {
  FileIdentity found;
  if (const int error = look(descriptor, "", found); error != 0)
    throw system_error(error, "cannot look at the file", path);
  return found;
}

FileIdentity identity_at(const std::string &path) {
  FileIdentity found;
  const int error = path.empty() ? ENOENT : look(AT_FDCWD, path.c_str(), found);
  if (error == ENOENT || error == ENOTDIR) return {};
  if (error != 0) throw system_error(error, "cannot look at the path", path);
  return found;
}

}  // namespace sv
