// The directory of a file's name. Code that works on directories includes it. No MPI, no state.
#pragma once

#include <filesystem>
#include <string>

namespace sv {

/// "." for a name alone.
inline std::string directory_of(const std::string &path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace sv
