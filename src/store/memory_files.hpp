// The files of the memory store: byte strings by path. Internal to the stores and their tests.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sv {

using FileBytes = std::vector<std::byte>;

/// Like open descriptors, the handles of stores survive renaming and removal. Stores of one thread may share it.
struct MemoryFiles {
  std::map<std::string, std::shared_ptr<FileBytes>> files;
};

}  // namespace sv
