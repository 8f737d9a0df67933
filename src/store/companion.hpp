// Files that the stores keep next to another one, under its name with an ending, and believe when they read it: a
// header copy, a journal. Every user who may write into the directory can make a file of such a name, so only one is
// believed that is a regular file of the other file's owner, of this process' user or of root. Internal to the stores.
// Local.
#pragma once

#include <string>

#include "store/positional_file.hpp"

namespace sv {

struct Companion {
  PositionalFile file;      // open to read where it is there and believed
  bool is_foreign = false;  // something of this name is there, and is not believed
};

/// The companion at `path`, next to the file `of`.
Companion companion_of(const PositionalFile &of, const std::string &path);

/// A warning for a reader of the file, about the companion at `path`.
std::string unbelieved(const std::string &of, const std::string &path);
/// Error(access), for a writer of the file: an untrusted companion may be of a run that was interrupted.
void refuse_foreign(const Companion &companion, const PositionalFile &of, const std::string &path);

}  // namespace sv
