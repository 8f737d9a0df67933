// Errors in preparing a grid.
#pragma once

#include "../failure.hpp"

namespace sv::grid {

using libs::Failure;
using libs::ReportedFailure;

}  // namespace sv::grid
