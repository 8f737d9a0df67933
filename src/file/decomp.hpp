// A decomposition as the model declares it: the layout that all ranks agreed on, and how this rank's arrays lie around
// it. A context keeps those that the model has not freed.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "layout/layout.hpp"

namespace sv {

class Context;

/// The arguments of sv_def_decomp. `halo_low`, `halo_high`: widths of the frame in this rank's arrays.
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
  Index count, halo_low, halo_high;  // of a block
  double seconds = 0;                // of points: how long the slowest rank took to make it
  // of ordered points: their cells; `layout` then contains their positions
  std::shared_ptr<const Layout> base = nullptr;
};

/// Local, all of it.
class Decomps {
 public:
  /// Gives it the next number. It lives until it is forgotten.
  Decomp *adopt(Decomp decomp);
  void forget(const Decomp *decomp);
  /// That of a decomposition, also of one that was forgotten while something needs it; nullptr otherwise.
  std::shared_ptr<const Layout> layout(int id) const;
  /// By id: in the order of definition.
  const std::map<int, std::unique_ptr<Decomp>> &all() const { return all_; }

 private:
  int next_ = 0;
  std::map<int, std::unique_ptr<Decomp>> all_;
  std::map<int, std::weak_ptr<const Layout>> layouts_;
  size_t most_layouts_ = 64;  // before those are looked for that nothing needs any more
};

}  // namespace sv
