// The computations that clients and servers must do alike: the plan of a field that servers write.
#pragma once

#include <memory>
#include <vector>

#include "file/file.hpp"
#include "file/home.hpp"
#include "plan/plan.hpp"
#include "transport/forwarder.hpp"
#include "transport/link.hpp"

namespace sv {

/// `layout`: of the ranks that a link joins.
struct ServedField {
  int variable;
  int64_t record;  // −1 without records
  std::shared_ptr<const Layout> layout;
  int first_axis;
};

/// How data for other nodes are sent.
bool is_synchronous(const Settings &settings);
Pace pace_of(const Settings &settings);

/// Whether primaries are to collect points for some files: then all servers need to know whose they are.
bool asks_for_primaries(const Settings &settings);
/// The writers are the first of `servers`, as many as the file has owners of ranges. Throws Error(limit) where
/// 'server_memory' has no room for one element. To be written, points go to primaries where there are some, they are
/// put in order, ranges of the file have owners, its store is our own, and a slab fits: the plan then gathers.
Plan served_plan(const File &file, const ServedField &field, const Link &link, const std::vector<int> &servers,
                 Direction direction);

}  // namespace sv
