// Puts many files on the disk. A file system that does so one after the other waits for the disk each time; asked by
// several threads at a time, it does so once for many. Zarr groups and files that were closed before they were put on
// the disk use it. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/progress.hpp"

namespace sv {

/// Calls sync(0) to sync(n − 1), by several threads where there are many; each that is done counts as progress. Throws
/// the first error when all have returned.
void sync_many(int64_t n, const Progress &progress, const std::function<void(size_t)> &sync);

}  // namespace sv
