// What is replayed: the header of a file of the user's.
#pragma once

#include <string>

#include "workload/schema.hpp"

namespace sv_bench {

/// Of a netCDF file, through the library, or of CDL text. Collective over all ranks. Throws std::invalid_argument, on
/// all ranks alike: no such file, neither of the two, or something that cannot be replayed.
Schema schema_of_file(const std::string &path);

}  // namespace sv_bench
