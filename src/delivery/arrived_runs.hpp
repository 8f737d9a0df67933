// What has arrived at a rank that writes: runs of slabs, and slices that are still to be put in order. The rounds of
// src/transfer and of servers make them, and deliveries write them. Local.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "file/file.hpp"

namespace sv {

/// A run of a slab that has arrived.
struct ArrivedRun {
  Slab slab;
  std::span<std::byte> values;
};

/// A slice that is put into the order of the file by who writes it.
struct SliceInParts {
  int64_t bytes;
  std::function<void(std::byte *slice)> put_in_order;
  struct Run {
    Slab slab;
    int64_t begin_bytes, bytes;  // in the slice
  };
  std::vector<Run> runs;
};
/// The parts of a share of a slab that are written, of elements of so many bytes, as runs of the share's slice; and the
/// same where the slice stands in order.
std::vector<SliceInParts::Run> runs_of(const Slab &share, const std::vector<Segment> &written, int64_t element_bytes);
void add_runs(std::vector<ArrivedRun> &all, const std::vector<SliceInParts::Run> &runs, std::byte *slice);
/// Into the file's open store. Chunks all together: then several threads compress them.
void write_runs(const File &file, Store &store, const std::vector<ArrivedRun> &runs);

}  // namespace sv
