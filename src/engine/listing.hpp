// Definitions in words, a line for each: what sv_enddef compares between ranks. Values.
#pragma once

#include <map>
#include <string>

#include "store/schema.hpp"

namespace sv {

/// `axes`: what sv_def_axes declared, by variable.
std::string listing_of(const Schema &schema, const std::map<int, int> &axes);

/// The first line in which two texts differ, in words; "" when they are equal. `root` is rank 0's.
std::string difference_of(const std::string &root, const std::string &mine);

}  // namespace sv
