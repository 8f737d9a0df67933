// Values from one file of the real library to another, where the library cannot continue the file that Sverdrup has
// written.
#pragma once

#include "definitions.hpp"

namespace sv::netcdf4 {

/// All values of a variable that `from` may lack. Collective where `to` belongs to several ranks: then one of them
/// `puts`, and the others take part without values.
void copy_variable(const Shape &shape, int from, int to, bool puts, const void *caller);

}  // namespace sv::netcdf4
