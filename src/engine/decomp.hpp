// A decomposition as the model declares it: the layout all ranks agreed on, and how this rank's arrays lie around it.
#pragma once

#include <memory>
#include <vector>

#include "layout/layout.hpp"

namespace sv {

class Context;

/// What sv_def_decomp is told. `halo_low`, `halo_high`: widths of the frame in this rank's arrays.
struct DecompRequest {
  Index shape;
  BlockRequest block;
  Index halo_low, halo_high;
  std::vector<bool> periodic;
  bool holes = false;
};

struct Decomp {
  Context *context = nullptr;
  int id = 0;  // equal on all ranks: the order of definition
  std::shared_ptr<const Layout> layout;
  Index count, halo_low, halo_high;              // of a block
  double seconds = 0;                            // of points: making it took, on the slowest rank
  std::shared_ptr<const Layout> base = nullptr;  // of ordered points: their cells; `layout` then tells their places
};

}  // namespace sv
