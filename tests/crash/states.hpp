// Which crashes of a run are looked at: all kills; of power losses the systematic ones, as many as there is room for,
// and then random ones.
#pragma once

#include <cstdint>
#include <vector>

#include "disk.hpp"

namespace svcrash {

// Each gives at most `count` states, any of them, sorted by the moment of the crash.

std::vector<State> kill_states(const Log &log, size_t count, uint64_t seed);
/// At every moment, in both models of names: nothing lost, all lost, each operation alone lost, each alone kept, and
/// both torn into sectors of 512 and of 4096 bytes; with every number of changes of names.
std::vector<State> systematic_states(const Log &log, size_t count, uint64_t seed);
/// Random moments, names and losses.
std::vector<State> random_states(const Log &log, size_t count, uint64_t seed);

}  // namespace svcrash
