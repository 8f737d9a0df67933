// The stripes of files and directories, by path, as their file system gives them (stripe_calls.hpp). The engine asks
// before it plans. Local; no state.
#pragma once

#include <optional>
#include <string>

#include "base/file_stripes.hpp"

namespace sv {

/// The number of storage targets of the file system that holds a directory; 0: it stripes no file as a program asks, or
/// does not say.
int storage_targets_at(const std::string &directory);
/// The stripes of a file, or those that a directory gives to new files, if they are known.
std::optional<FileStripes> stripes_at(const std::string &path);

/// "4 stripes of 1048576 bytes"
std::string in_words(const FileStripes &stripes);

}  // namespace sv
