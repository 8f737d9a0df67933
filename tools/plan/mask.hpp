// Blocks without a rank.
#pragma once

#include <string>
#include <vector>

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

}  // namespace sv_plan
