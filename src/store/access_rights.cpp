#include "store/access_rights.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.hpp"

namespace sv {
namespace {

/// An attribute in which file systems keep an access control list.
struct ListName {
  const char *name;
  bool of_directories_only, may_be_removed;
};
constexpr std::array<ListName, 3> list_names{{{"system.posix_acl_access", false, true},
                                              {"system.posix_acl_default", true, true},  // which new entries get
                                              {"system.nfs4_acl", false, false}}};

/// By `get(value, bytes)`, a call of getxattr. Nothing where there is none, or the file system has none.
template <class Get>
std::vector<char> list_by(Get get) {
  std::vector<char> value;
  for (ssize_t bytes = get(nullptr, 0); bytes > 0; bytes = get(nullptr, 0)) {
    value.resize(static_cast<size_t>(bytes));
    const ssize_t got = get(value.data(), value.size());
    if (got < 0 && errno == ERANGE) continue;  // it became longer
    value.resize(static_cast<size_t>(got < 0 ? 0 : got));
    return value;
  }
  return {};
}

template <class Get>
AccessRights rights(const struct stat &status, Get get) {
  const mode_t of_entries = S_ISDIR(status.st_mode) ? S_ISGID | S_ISVTX : 0;
  const mode_t kept = S_IRWXU | S_IRWXG | S_IRWXO | of_entries;
  AccessRights found{status.st_uid, status.st_gid, status.st_mode & kept, {}};
  for (const ListName &list : list_names) {
    if (list.of_directories_only && !S_ISDIR(status.st_mode)) continue;
    auto value = list_by([&](char *to, size_t bytes) { return get(list.name, to, bytes); });
    if (!value.empty()) found.lists.emplace(list.name, std::move(value));
  }
  return found;
}

/// Whether the file has these lists, and no others, afterwards.
bool give_lists(int descriptor, const AccessRights &rights) {
  bool has_all = true;
  for (const ListName &list : list_names) {
    const auto wanted = rights.lists.find(list.name);
    if (wanted != rights.lists.end())
      has_all = ::fsetxattr(descriptor, list.name, wanted->second.data(), wanted->second.size(), 0) == 0 && has_all;
    else if (list.may_be_removed)
      ::fremovexattr(descriptor, list.name);  // a new file may have one from its directory
  }
  return has_all;
}

}  // namespace

AccessRights rights_at(const std::string &place) {
  struct stat status {};
  if (::stat(place.c_str(), &status) != 0) throw system_error(errno, "cannot look at the file", place);
  return rights(status,
                [&](const char *name, char *to, size_t bytes) { return ::getxattr(place.c_str(), name, to, bytes); });
}

AccessRights rights_of(int descriptor, const std::string &path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) throw system_error(errno, "cannot look at the file", path);
  return rights(status,
                [&](const char *name, char *to, size_t bytes) { return ::fgetxattr(descriptor, name, to, bytes); });
}

// The owner first, for changing it may take bits away; the lists last, for they say what the bits of the group mean.
// Where the group or a list cannot be given, the bits of the group would give its rights to somebody else.
void give_rights(int descriptor, const std::string &path, const AccessRights &rights, bool is_being_written) {
  const bool has_group = ::fchown(descriptor, rights.owner, rights.group) == 0 ||
                         ::fchown(descriptor, static_cast<uid_t>(-1), rights.group) == 0;
  const mode_t of_others = rights.bits & S_IRWXO;
  const mode_t without_group = (rights.bits & ~mode_t{S_IRWXG}) | (rights.bits & (of_others << 3));
  const auto permit = [&](mode_t bits) {
    if (::fchmod(descriptor, is_being_written ? bits | S_IRUSR | S_IWUSR : bits) != 0)
      throw system_error(errno, "cannot set the permissions of the file", path);
  };
  permit(has_group && rights.lists.empty() ? rights.bits : without_group);
  const bool has_lists = give_lists(descriptor, rights);
  if (!rights.lists.empty()) permit(has_group && has_lists ? rights.bits : without_group);
}

void check_may_replace(const std::string &path, const std::string &target) {
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) == 0) return;
  if (errno != EACCES && errno != EPERM && errno != EROFS) return;  // making the file meets all other errors
  const char *const what = errno == EROFS ? "its file system is read-only" : "this process may not write it";
  throw Error(Status::access, std::string("the file exists, and ") + what,
              "Make it writable (chmod u+w), remove it, or choose another name")
      .in_file(path);
}

}  // namespace sv
