// The calls by which a file system stripes a new file as a program asks: an implementation for each such system, which
// shared_storage.cpp assigns to its number. No library is needed. Local; no state, and no call throws.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/file_stripes.hpp"

namespace sv {

/// The arguments of openat(2) for a file that is new.
struct NewFile {
  int directory;
  const char *name;
  int flags;
  mode_t mode;
};

struct StripeCalls {
  /// The number of storage targets of the file system of an open directory; 0: it does not say.
  int (*targets)(int directory);
  /// Creates a file. Where the file system refuses these stripes, the file gets those of its directory. Returns the
  /// descriptor, or -1 with errno.
  int (*create)(const NewFile &file, const FileStripes &stripes);
  /// Those of an open file, or those that an open directory gives to new files. Nothing where the file system does not
  /// say, or a file has several components with stripes of their own.
  std::optional<FileStripes> (*stripes)(int descriptor);
};

extern const StripeCalls lustre_stripes, beegfs_stripes;

}  // namespace sv
