// The metadata of a new netCDF-4 file as netCDF-C makes them, without a file; and remarks about its chunks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

/// Local. All bytes of a file with these definitions and no values. Throws netCDF-C's error.
std::vector<std::byte> define_in_memory(const Schema &schema, const Access &access);

/// For the summary: the chosen shapes, and which ranks compress with `codec` ("": none).
std::vector<std::string> chunk_remarks(const Schema &schema, const Access &access, const std::string &codec);

}  // namespace sv::netcdf4
