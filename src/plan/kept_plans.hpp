// Plans that are needed again: the records of a variable have the same one, and so have variables that are alike. The
// home of a file keeps the last ones; what puts fields on decompositions asks it for them.
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
  /// Keeps a plan, unless it depends on where its field stands in the file, apart from whose that is. Field, layout and
  /// route must tell what it depends on: the file must have no pieces, and when its owners, stripes or budget change,
  /// forget is to be called.
  void keep(std::shared_ptr<const Layout> layout, std::shared_ptr<const Route> route, std::shared_ptr<const Plan> plan);
  void forget() { kept_ = {}; }

 private:
  struct Kept {
    std::shared_ptr<const Layout> layout;
    std::shared_ptr<const Route> route;
    std::shared_ptr<const Plan> plan;
    int owner;  // to whom its field must belong as a whole; -1: whoever has it
  };
  std::array<Kept, 8> kept_;
  size_t next_ = 0;  // that gives way to a new one
};

}  // namespace sv
