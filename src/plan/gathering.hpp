// Points with primaries among servers (Pang et al. 2023, Sect. 4.1 and 4.3), as two plans: models hand over to
// primaries what they have, in rounds of whole slabs of the dimensions before the grid's; and each round is then a
// field of its own that primaries, as its only sources, scatter to the workers.
#pragma once

#include <optional>

#include "plan/plan.hpp"

namespace sv {

/// One stage, whose sinks are the primaries of `route`. The ranks that own points, node after node, are divided into
/// their groups. Sizes follow from the number of points of each rank, so the lists of other ranks are not needed.
/// `budget.slices` is for the slice of one primary. Nothing if one slab does not fit.
std::optional<Plan> gathering_plan(const std::shared_ptr<const Layout> &layout, const Field &field, const Route &route,
                                   const Topology &topology, const Budget &budget);

/// Bytes that a sink of such a plan takes in in a round.
int64_t gathered_bytes(const Plan &gathering, int sink, int round);

/// From the primaries to the writers of `route`, both as ranks of the servers, whose topology is that of `conditions`.
/// The field is what the round has of that of `gathering`; of its two stages, only the second is to be carried out.
/// Throws Error(limit) as make_plan does.
Plan scattering_plan(const Plan &gathering, int round, const Route &route, const Conditions &conditions);

}  // namespace sv
