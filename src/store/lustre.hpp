// The stripes of files on Lustre, by the system calls of its client: no library is needed. Publication asks for the
// stripes of a new file, and the engine looks for those of a directory or a file before it plans. Local; no state.
//
// Source: lustre/include/uapi/linux/lustre/lustre_user.h (struct lov_user_md_v1, LL_IOC_LOV_SETSTRIPE), and
// lustre/llite/dir.c (LL_IOC_GETOBDCOUNT); the order of the calls is that of llapi_file_open(3).
#pragma once

#include <fcntl.h>

#include <optional>
#include <string>

#include "base/file_stripes.hpp"

namespace sv::lustre {

/// Flags of open(2) that make a file without stripes (O_LOV_DELAY_CREATE). It gets them by set_stripes or, as the
/// directory has them, with its first byte. Other file systems ignore these flags for new files.
constexpr int without_stripes = O_NOCTTY | O_ASYNC;

/// The number of storage targets of the file system that holds a directory; 0: it is not Lustre, or does not say.
int targets_at(const std::string &directory);
/// Gives a new file, made with `without_stripes`, its stripes. Returns 0, or the errno; the file then gets the
/// directory's stripes.
int set_stripes(int descriptor, const FileStripes &stripes);
/// Those of a file, or those that a directory gives to new files. Nothing where the call fails, or a file has several
/// components with stripes of their own.
std::optional<FileStripes> stripes_of(int descriptor);
std::optional<FileStripes> stripes_at(const std::string &path);

/// "4 stripes of 1048576 bytes"
std::string in_words(const FileStripes &stripes);

}  // namespace sv::lustre
