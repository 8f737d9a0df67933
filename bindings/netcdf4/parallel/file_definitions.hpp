// The definitions of a file, from the real library that keeps them to Sverdrup's C interface. Local.
#pragma once

#include <sverdrup/binding.h>

#include "../definitions.hpp"

namespace sv::netcdf4 {

/// What `file`, in define mode, lacks: new dimensions and variables with their storage, changed names and attributes.
/// Throws the code of Sverdrup.
void bring_to_sverdrup(const Definitions &definitions, sv_file *file);

/// Whether all groups, dimensions and variables have the same numbers in `file`.
bool stand_alike(const Definitions &definitions, const sv_file *file);

}  // namespace sv::netcdf4
