#include <algorithm>

#include "base/error.hpp"
#include "layout/layout.hpp"

namespace sv {

std::shared_ptr<const Layout> masked_block_layout(int64_t nx, int64_t ny, int px, int py,
                                                  const std::vector<bool> &mask) {
  const std::string blocks = std::to_string(px) + " x " + std::to_string(py) + " blocks";
  if (px < 1 || py < 1 || static_cast<int64_t>(mask.size()) != static_cast<int64_t>(px) * py) {
    throw Error(Status::invalid, "a mask of " + std::to_string(mask.size()) + " values does not suit " + blocks,
                "Give a value for each block, x-fastest: 1 where it has a rank, 0 where it is all land");
  }
  const auto ranks = static_cast<int>(std::count(mask.begin(), mask.end(), true));
  if (ranks == 0) {
    throw Error(Status::invalid, "the mask leaves none of " + blocks, "Let at least one block have a rank");
  }
  std::vector<Patch> patches;
  int rank = 0;
  for (int block = 0; block < px * py; ++block) {
    if (!mask[static_cast<size_t>(block)]) continue;
    const Part x = part_of(nx, px, block % px), y = part_of(ny, py, block / px);
    const Box box{{y.start, x.start}, {y.count, x.count}};
    if (!box.empty()) patches.push_back({rank, box, Index(2, 0)});
    ++rank;
  }
  return std::make_shared<const Layout>(Index{ny, nx}, ranks, std::move(patches), true);
}

}  // namespace sv
