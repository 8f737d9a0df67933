// Which file holds which box of the grid, for routes that write a set of files, and which rank writes it. The engine
// makes a set's files by it, and sv-plan plans by it.
#pragma once

#include <vector>

#include "plan/plan.hpp"

namespace sv {

/// Which boxes of the layout's grid a route of self-writers divides it into, and who writes each: the blocks of the
/// layout, or its I/O domains.
std::vector<Territory> blocks_of(const Layout &layout, const Route &route);

/// Which box of the layout's grid each file holds, and who writes it; empty for routes that write one file. Where no
/// block stands along a whole stretch of a dimension, the boxes before it reach over it (those after it, where it is
/// the first), so that the files together have every coordinate.
std::vector<Territory> pieces_of(const Layout &layout, const Route &route);

}  // namespace sv
