// The counts of a plan that take time.
#pragma once

#include <vector>

#include "prediction/prediction.hpp"
#include "prediction/traffic.hpp"

namespace sv_plan {

/// `by_rank`: the traffic of all. `striping`: of the file, as storage has it; in a set of files each writer has one of
/// its own, and their stripes are taken to be even on all targets.
sv::PlanCounts counts_of(const sv::Plan &plan, const sv::Topology &topology, const std::vector<sv::Traffic> &by_rank,
                         const sv::Striping &striping);

/// As the machine has it, or else as the library sees the file: in stripes of `stripe_bytes`. `stripes`: targets of the
/// file; 0: all.
sv::Striping striping_on(const sv::Machine &machine, int64_t stripe_bytes, int stripes);

}  // namespace sv_plan
