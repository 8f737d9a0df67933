// Sets of boxes: unions and differences. Pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "layout/box.hpp"

namespace sv {

/// Joins boxes whose union is a box, as far as neighbours along one dimension after the other go (the last dimension
/// first). For disjoint boxes: their cells, in fewer boxes.
std::vector<Box> merged(std::vector<Box> boxes);
/// Makes the list that is to be merged shorter: a box that continues the last one along the last dimension becomes a
/// part of it.
void append_joined(std::vector<Box> &boxes, const Box &box);
/// Disjoint boxes of exactly the cells of the grid that none of these covers. O(boxes · log boxes) for blocks.
std::vector<Box> uncovered(const Index &shape, std::span<const Box> boxes);
/// A box in words: "[0:4, 12:18]", slowest dimension first, first cell and the one after the last.
std::string text_of(const Box &box);

}  // namespace sv
