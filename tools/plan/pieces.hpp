// The files of routes that write a set of them.
#pragma once

#include <vector>

#include "plan/plan.hpp"

namespace sv_plan {

/// Which box of a field of `levels` levels each file holds, and who writes it; empty for routes that write one file. As
/// the engine has it, whose floor is above this tool: a box that ends where a whole column or row of blocks is land
/// reaches over that, so that the files together have every coordinate.
std::vector<sv::Territory> pieces_of(const sv::Layout &layout, const std::vector<sv::IoDomain> &domains,
                                     const sv::Route &route, int64_t levels);

}  // namespace sv_plan
