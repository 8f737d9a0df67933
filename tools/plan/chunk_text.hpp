// What `chunks: auto` would make of the field in a compressed netCDF-4 file: the shape, why, and the memory it takes.
#pragma once

#include <string>

#include "options.hpp"

namespace sv_plan {

/// For --chunks: a field of one record, of which a file has --variables.
std::string chunk_text(const Options &options, int ranks);

}  // namespace sv_plan
