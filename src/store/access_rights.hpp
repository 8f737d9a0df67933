// Who may read and write a file: owner, group, permission bits and access control list. A file that takes the place of
// another one gets the rights of that one, and so does a file that keeps bytes of another one next to it. The stores
// and the names of files (publication.hpp) use this; it knows no contents. Local.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace sv {

struct AccessRights {
  uid_t owner;
  gid_t group;
  mode_t bits;  // of permission, and those of a directory for what is in it; no others, which change who runs a program
  std::map<std::string, std::vector<char>> lists;  // access control lists, by the attribute that holds each
};

/// Of what stands at `place`, which is followed where it is a symbolic link. Throws the system's error.
AccessRights rights_at(const std::string &place);
/// Of an open file or directory.
AccessRights rights_of(int descriptor, const std::string &path);

/// Gives them to an open file or directory of this process. The owner and the group stay where this process may not
/// change them: a group that stays has no right that others do not have. `is_being_written`: this user may read and
/// write it in any case. Throws the system's error where the permission bits cannot be set.
void give_rights(int descriptor, const std::string &path, const AccessRights &rights, bool is_being_written);

/// Error(access) where this process may not write what stands at `target`: then nothing may take its place.
void check_may_replace(const std::string &path, const std::string &target);

}  // namespace sv
