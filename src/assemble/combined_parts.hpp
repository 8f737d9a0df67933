// What the slices of a combined plan are for a store: slabs in the order of the file.
#pragma once

#include <vector>

#include "plan/combined.hpp"
#include "store/store.hpp"

namespace sv {

/// What is written from, or read into, the slice of a stretch in a round: whole portions, or what is claimed of them.
/// `slice`: its bytes; between portions that touch, padding, which is zeroed.
std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, std::byte *slice);

}  // namespace sv
