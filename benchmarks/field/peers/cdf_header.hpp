// The header of a CDF-5 file with the field as its only variable, for the methods that know no netCDF library.
#pragma once

#include <cstddef>
#include <vector>

#include "block.hpp"

namespace sv_bench {

/// Where the values begin in such a file: as far as in files of Sverdrup, on a page of their own.
constexpr int64_t data_offset = 4096;

/// data_offset bytes. "CDF-5 File Format Specification" (PnetCDF).
std::vector<std::byte> cdf5_header(const Field &field);

}  // namespace sv_bench
