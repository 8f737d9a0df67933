// Blocks without a rank.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "layout/layout.hpp"

namespace sv_plan {

/// px × py blocks, x fastest, from the first cells on: whether a rank has the block. Land blocks have none.
struct Mask {
  int px = 0, py = 0;
  std::vector<bool> has_rank;

  int ranks() const;
};

Mask unmasked(int px, int py);

/// A line of '0' (land) and '1' for each row of blocks, the last row (the northern one) first; blanks do not count. Or
/// a mask table of FMS: how many blocks are masked out, "px,py", and "i,j" of each from 1 on, a line each. Throws
/// sv::Error, which names the file and the line.
Mask read_mask(const std::string &path);

/// The grid divided as by block_layout; ranks number the blocks that have one, x fastest. Cells of land blocks are
/// declared holes.
std::shared_ptr<const sv::Layout> masked_block_layout(int64_t nx, int64_t ny, const Mask &mask);

}  // namespace sv_plan
