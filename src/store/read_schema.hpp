// The definitions of a CDF file, from its header. One rank reads them when a file is opened; tools and tests do, too.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "store/cdf_places.hpp"
#include "store/positional_file.hpp"

namespace sv {

/// Local. Error(not_found), Error(format) for what is not CDF-1/2/5.
PlacedSchema read_schema(const std::string &path);
/// The same of a file that is open, whose first bytes are `mended` instead of its own; see mended_header.
PlacedSchema read_schema(PositionalFile &file, std::span<const std::byte> mended);

}  // namespace sv
