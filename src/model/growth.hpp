// How the lengths of unlimited dimensions grow. A record is an index of a variable's leading unlimited dimension: a
// commit counts records, and a put of a new one needs nothing before it. Any other unlimited dimension is a length. All
// ranks make it longer together, before a put that reaches beyond it. The engine's puts compute and agree on growths;
// stores carry them out. Local; values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/schema.hpp"

namespace sv {

/// A dimension that is to have this length. It never becomes shorter.
struct Growth {
  int dimension;
  int64_t length;
};

/// The lengths that a put of cells before `ends`, an index with all of the variable's dimensions, needs at least.
std::vector<Growth> growths_for(const Schema &schema, const Variable &variable, const Index &ends);
void lengthen_dimensions(Schema &schema, std::span<const Growth> growths);

}  // namespace sv
