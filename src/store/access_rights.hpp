// The access rights of a file: owner, group, permission bits and access control list. A file that replaces another one
// gets its rights, and so does a file that keeps bytes of another one next to it. The stores and the names of files
// (publication.hpp) use this; it knows no contents. Local.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace sv {

struct AccessRights {
  uid_t owner;
  gid_t group;
  // of permission, and those of a directory for its entries; no others, which change the user of a program
  mode_t bits;
  std::map<std::string, std::vector<char>> lists;  // access control lists, by the attribute that holds each
};

/// The rights of the file at `place`, through a symbolic link. Throws the system's error.
AccessRights rights_at(const std::string &place);
/// Of an open file or directory.
AccessRights rights_of(int descriptor, const std::string &path);

/// Gives them to an open file or directory of this process. The owner and the group stay where this process may not
/// change them: a group that stays has no right that others do not have. `is_being_written`: this user may read and
/// write it in any case. Throws the system's error where the permission bits cannot be set.
void give_rights(int descriptor, const std::string &path, const AccessRights &rights, bool is_being_written);

/// Error(access) if this process may not write the file at `target`: then nothing may replace it.
void check_may_replace(const std::string &path, const std::string &target);

}  // namespace sv
