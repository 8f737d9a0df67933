// A copy of a working directory, in which sv-run --compare runs a program. Nothing that the program writes by a
// relative path reaches a file of the original: links that lead out of the directory are replaced by copies of their
// targets.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sv_run {

/// The state of a file when it was linked.
struct Linked {
  std::filesystem::file_time_type written;
  uintmax_t bytes;
  bool operator==(const Linked &) const = default;
};

/// Copies `from`, with its contents, into the new folder `to`. Regular files whose names match one of the wildcards,
/// and links to such files, become links to the originals. Links within `from` lead to the same place within `to`; of
/// links that lead out of it, the files and folders are copied; dead links are left out. Returns the linked originals.
/// Throws std::filesystem::filesystem_error, also if `to` exists, and std::runtime_error for a link to a folder that
/// contains the link; then it leaves nothing.
std::map<std::filesystem::path, Linked> copy_folder(const std::filesystem::path &from, const std::filesystem::path &to,
                                                    const std::vector<std::string> &wildcards);

/// Those of the linked originals that are no longer what they were.
std::vector<std::string> changed(const std::map<std::filesystem::path, Linked> &originals);

}  // namespace sv_run
