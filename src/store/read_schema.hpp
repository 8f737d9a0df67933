// The definitions of a CDF file, from its header. One rank reads them when a file is opened; tools and tests do, too.
#pragma once

#include <string>

#include "store/cdf_places.hpp"

namespace sv {

/// Local. Error(not_found), Error(format) for what is not CDF-1/2/5.
PlacedSchema read_schema(const std::string &path);

}  // namespace sv
