// Plans that are needed again: the records of a variable have the same one, and so have similar variables. The home of
// a file keeps the last ones; code that puts fields on decompositions requests them from it.
#pragma once

#include <array>
#include <memory>

#include "plan/plan.hpp"

namespace sv {

class KeptPlans {
 public:
  /// The plan of such a field, wherever in the file it stands, as long as it has the same owner there; nullptr: none is
  /// kept.
  std::shared_ptr<const Plan> find(const Layout &layout, const Route &route, const Field &field,
                                   const ExtentMap &extents, int64_t stripe_bytes) const;
  /// Keeps a plan, unless it depends on the file position of its field in another way than by its owner. Field, layout
  /// and route must determine the plan: the file must have no pieces, and forget must be called when its owners,
  /// stripes or budget change.
  void keep(std::shared_ptr<const Layout> layout, std::shared_ptr<const Route> route, std::shared_ptr<const Plan> plan);
  void forget() { kept_ = {}; }

 private:
  struct Kept {
    std::shared_ptr<const Layout> layout;
    std::shared_ptr<const Route> route;
    std::shared_ptr<const Plan> plan;
    int owner;  // the owner of the whole field; -1: any
  };
  std::array<Kept, 8> kept_;
  size_t next_ = 0;  // that gives way to a new one
};

}  // namespace sv
