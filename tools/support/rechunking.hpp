// In which blocks a variable is copied whose chunks span records, in one of the files at least: so that chunks that are
// read are decompressed few times, those that are written become complete, and all ranks together hold no more than
// they may. Numbers alone, no files; used by Copying.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace sv_tools {

using Lengths = std::vector<int64_t>;  // in cells of each dimension, slowest first

struct CellBox {
  Lengths start, count;
};

/// A variable, its record dimension included, and the chunks that it has and gets. A variable without chunks is read
/// and written in rows.
struct Rechunking {
  Lengths length, from, to;
  int64_t cell_bytes;
};

/// Of the blocks: whole chunks of both kinds where these have room in `most_bytes`; otherwise whole chunks to be
/// written; otherwise parts of one.
Lengths block_lengths(const Rechunking &work, int64_t most_bytes);
/// Visits the blocks of a variable, in its order.
void for_blocks(const Lengths &length, const Lengths &block, const std::function<void(const CellBox &)> &visit);
/// The part of a block that rank `rank` of `ranks` copies: whole chunks to be read, as far as there are so many. It may
/// be empty.
CellBox part_of(const CellBox &block, const Lengths &from, int rank, int ranks);

/// Visits what a box has of each chunk.
void for_chunks(const CellBox &box, const Lengths &chunk, const std::function<void(const CellBox &)> &visit);

int64_t cells_of(const Lengths &lengths);

}  // namespace sv_tools
