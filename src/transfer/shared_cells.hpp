// Finds the requests that put the same cells, once it is known that some do. Every rank sends to the writers of its
// stretches all of its runs there, with their requests. That costs more than the table (run_table.hpp), which does not
// contain the owner of a cell, and is done only to name the requests.
#pragma once

#include <string>
#include <vector>

#include "transfer/run_table.hpp"

namespace sv {

/// A request that puts cells of another one. Both refuse. As it travels.
struct SharedCells {
  int64_t offset_bytes;  // in the file: where they begin
  int32_t rank, request, place, variable;
  int32_t other_rank, other_request, other_place;
};

/// Collective. Each request that shares cells, once, with one it shares them with: equal on all ranks, in their order.
std::vector<SharedCells> shared_cells(const File &file, const RunTable &table, const std::vector<int> &places);

/// The first of these cells, in words.
std::string first_cell(const File &file, const SharedCells &shared);

/// Collective. The parts that higher ranks take from this one's runs: `lost`, by rank, is the finding of this rank as a
/// writer.
std::vector<FileRange> lost_ranges(const File &file, const std::vector<std::vector<FileRange>> &lost);

}  // namespace sv
