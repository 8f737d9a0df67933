// The workload's accesses as calls of Sverdrup.
#pragma once

#include <sverdrup/sverdrup.h>

#include <cstddef>
#include <vector>

#include "workload/workload.hpp"

namespace sv_bench {

/// An open file of the workload. `from` is the memory to write, or `to` the memory to read into: one of them is not
/// null.
struct SverdrupFile {
  const Workload &workload;
  sv_file *file;
  const sv_decomp *grid;  // null: sub-arrays per rank
  const std::byte *from;
  std::byte *to;
  std::vector<sv_decomp *> grids = {};  // those that accesses name

  const sv_decomp *grid_of(const Access &access) const {
    return access.grid < 0 ? grid : grids[static_cast<size_t>(access.grid)];
  }
};

/// Collective: one put or get.
void transfer(const SverdrupFile &file, const Access &access);
/// Local: one that waits.
void record(const SverdrupFile &file, const Access &access);
/// Collective: all that wait.
void wait(const SverdrupFile &file);
/// Collective: all accesses by one call, each of one region.
void transfer_together(const SverdrupFile &file);

/// Distances in memory, or none where it is contiguous.
std::vector<int64_t> strides_of(const Workload &workload, const Access &access);
inline const int64_t *pointer(const std::vector<int64_t> &strides) {
  return strides.empty() ? nullptr : strides.data();
}
/// Starts and counts as lists of pointers.
struct RegionPointers {
  std::vector<const int64_t *> starts, counts;
  explicit RegionPointers(const Access &access);
};
/// Of an access that sv_put and its kin can do.
int64_t record_of(const Workload &workload, const Access &access);

}  // namespace sv_bench
