// Whether somebody else is writing a file, by the lock that writers have, and the error where that is so. The names of
// files and of Zarr groups ask before they remove or replace one. Local.
#pragma once

#include <string>

#include "base/error.hpp"

namespace sv {

/// Of the file at `place` itself; also where this process may not read it, and so cannot know.
bool may_be_written(const std::string &place);
/// The error when another writer has `place`, for `path`.
Error busy(const std::string &path, const std::string &place);

}  // namespace sv
