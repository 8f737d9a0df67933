// The existing file under the name of a file that will be written. Internal to the stores and to the engine.
#pragma once

#include <string>

#include "base/error.hpp"
#include "store/names_on_disk.hpp"

namespace sv {

/// The target of a path that is a symbolic link, to another one or to a file that does not exist yet; otherwise the
/// path. `writing`: Error(access) for a link of another user in a shared directory, such as /tmp.
std::string target_of(const std::string &path, bool writing);

/// The place of a new file, and the existing file there.
struct NewPlace {
  std::string target;
  Presence there;
};

/// Throws the error that creating `path` would meet: a name that is too long, that something has which is no file or
/// which this process may not write, or (`exclusive`) that anything has.
/// `folder`: a directory may have the name, for it will be one.
NewPlace check_new_file(const std::string &path, bool exclusive, bool folder = false);

/// Error(exists): something else has got the name of a new file, whose values stand at `place`.
Error taken_name(const std::string &path, const std::string &place);

/// The file at `target`, to which `path` leads. Throws the error if a file cannot replace it.
Presence check_place(const std::string &path, const std::string &target, bool folder = false);

}  // namespace sv
