// The definitions of a file as the schema that a store receives. Values.
#pragma once

#include <string>
#include <vector>

#include "../definitions.hpp"
#include "store/cdf_places.hpp"

namespace sv::netcdf4 {

/// Why Sverdrup would not write a file with these definitions; empty: it would.
std::string reason_against(const Definitions &definitions);

/// Of definitions that it would write. `before`: the schema of the file so far, whose lengths stay; nullptr for a file
/// with the lengths of these definitions. Throws Error(define) where the file's records would become other ones.
PlacedSchema schema_of(const Definitions &definitions, bool is_classic, const PlacedSchema *before);

/// Of each variable, whether unput cells get fill values.
std::vector<bool> fills_of(const Definitions &definitions);

}  // namespace sv::netcdf4
