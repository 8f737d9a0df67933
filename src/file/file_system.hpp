// Properties of a file system that the engine needs before a file is made.
#pragma once

#include <string>

#include "config/settings.hpp"
#include "plan/route.hpp"

namespace sv {

/// Throws the Error that creating `path` would meet: no such directory, no permission, or (`exclusive`) it exists.
/// `folder`: it will be a directory. Returns where it will stand.
std::string check_can_create(const std::string &path, bool exclusive, bool folder);

/// Whether nodes share the file system of the directory of `target` (where a path leads to: store/file_name.hpp),
/// whether they see late what others write, and its stripes: those of a file that is there or, if it `is_new`, those
/// that its directory gives. `settings` override the last two.
Surroundings surroundings_of(const std::string &target, const FileSettings &settings, bool is_new);

}  // namespace sv
