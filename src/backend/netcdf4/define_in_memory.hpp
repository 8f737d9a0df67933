// Files that netCDF-C makes in memory: the metadata of a new file, and all of a small one; and remarks about chunks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

/// Local. All bytes of a file with these definitions and no values. Throws netCDF-C's error.
std::vector<std::byte> define_in_memory(const Schema &schema, const Access &access);

/// Local. All bytes of the file that netCDF-C has in memory under this name, as it would be after its end.
std::vector<std::byte> bytes_in_memory(const std::string &name);

/// For the summary: the chosen shapes, and which ranks compress with `codec` ("": none).
std::vector<std::string> chunk_remarks(const Schema &schema, const Access &access, const std::string &codec);

}  // namespace sv::netcdf4
