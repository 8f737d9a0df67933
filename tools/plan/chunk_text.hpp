// What `chunks: auto` would make of the field in a compressed netCDF-4 file: the shape, why, the memory it takes, and
// what a put sends.
#pragma once

#include <string>

#include "scene.hpp"

namespace sv_plan {

/// For --chunks: a field of one record, of which a file has --variables.
std::string chunk_text(const Scene &scene);

}  // namespace sv_plan
