// The plan of the fields of one call.
#pragma once

#include <vector>

#include "file/file.hpp"
#include "plan/combined.hpp"
#include "store/team.hpp"

namespace sv {

/// The same on every rank, and so is what it throws. `bands` must not be empty.
CombinedPlan line_plan(const File &file, const std::vector<Band> &bands, Direction direction);

}  // namespace sv
