// The definitions of a file, from the real library that keeps them to what is to have them.
#pragma once

#include "dataset.hpp"

namespace sv::netcdf4 {

/// Local. What `own.file`, in define mode, lacks: new dimensions and variables with their storage, changed names and
/// attributes. Throws the code of Sverdrup.
void bring_to_sverdrup(const Dataset &own);
/// Local. All of them, into the new file `to` of the real library.
void bring_to_library(const Dataset &own, int to);
/// Local. As they stand.
std::vector<Shape> shapes_of(const Dataset &own);

}  // namespace sv::netcdf4
