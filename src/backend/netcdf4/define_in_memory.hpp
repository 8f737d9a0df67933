// Files that netCDF-C makes in memory: the metadata of a new file, and all of a small one; and remarks about chunks.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

/// Local. All bytes of a file with these definitions and no values. Throws netCDF-C's error.
std::vector<std::byte> define_in_memory(const Schema &schema, const Access &access);

/// Local. All bytes of the file that netCDF-C has in memory under this name, as it would be after its end.
std::vector<std::byte> bytes_in_memory(const std::string &name);

/// Local. Calls visit(variable, all values in native order) for the `wanted` variables of that file, whose definitions,
/// with its lengths, are `schema`. NetCDF-C asks all variables for their lengths at each get, and mixes up values where
/// several dimensions are unlimited; HDF5 reads them.
using VisitValues = std::function<void(int variable, const std::vector<std::byte> &values)>;
void visit_values_in_memory(const std::string &name, const Schema &schema, const std::vector<bool> &wanted,
                            const VisitValues &visit);

/// For the summary: the chosen shapes, and which ranks compress with `codec` ("": none).
std::vector<std::string> chunk_remarks(const Schema &schema, const Access &access, const std::string &codec);

}  // namespace sv::netcdf4
