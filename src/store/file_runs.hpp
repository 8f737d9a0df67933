// The contiguous runs of a file that a slab is made of. Internal to the stores.
#pragma once

#include <cstdint>
#include <span>

#include "store/cdf_places.hpp"
#include "store/slab.hpp"

namespace sv {

/// `bytes` bytes at `offset_bytes` of the file; in the slab's buffer they stand from `buffer_bytes` on.
struct FileRun {
  int64_t offset_bytes, buffer_bytes, bytes;
};

/// Walks the runs in ascending order. Rows that touch in the file are one run.
class FileRunCursor {
 public:
  /// Error(internal) when the slab does not lie inside the variable, or `buffer_bytes` is not its size.
  FileRunCursor(const PlacedSchema &schema, const Slab &slab, int64_t buffer_bytes);
  bool next(FileRun &run);

 private:
  Index shape_;  // of the variable; dimensions that the box spans wholly are merged into the one before
  Box box_;
  int64_t base_bytes_, element_bytes_;
  int64_t first_, at_, last_;
};

/// Runs that are known.
class FileRunList {
 public:
  explicit FileRunList(std::span<const FileRun> runs) : runs_(runs) {}
  bool next(FileRun &run) {
    if (runs_.empty()) return false;
    run = runs_.front();
    runs_ = runs_.subspan(1);
    return true;
  }

 private:
  std::span<const FileRun> runs_;
};

}  // namespace sv
