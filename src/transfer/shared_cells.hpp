// Which requests put the same cells, once it is known that some do. Every rank tells those who write its stretches all
// of its runs there, with the requests that they are of: that costs more than the table (run_table.hpp), which does not
// say whose a cell is, and is done only to name the requests.
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

/// Collective. What higher ranks take from this one's runs: `lost`, by rank, is what this rank, as a writer, has found.
std::vector<FileRange> lost_ranges(const File &file, const std::vector<std::vector<FileRange>> &lost);

}  // namespace sv
