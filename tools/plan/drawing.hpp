// The plan as a drawing (SVG).
#pragma once

#include <string>

#include "study.hpp"

namespace sv_plan {

/// A map of the blocks, nodes, I/O domains and writers; next to it the writers of rows and levels; below it the file
/// with the writers' ranges and its stripes; a legend.
std::string drawing(const Scene &scene, const Study &study);

}  // namespace sv_plan
