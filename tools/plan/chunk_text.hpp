// The result of `chunks: auto` for the field in a compressed netCDF-4 file: shape, reason, memory, and the messages of
// a put.
#pragma once

#include <string>

#include "scene.hpp"

namespace sv_plan {

/// For --chunks: a field of one record, of which a file has --variables.
std::string chunk_text(const Scene &scene);

}  // namespace sv_plan
