// The definitions of a CDF file, from its header. When a file is opened, one rank reads the bytes, and all decode them;
// tools and tests do both at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/cdf_places.hpp"
#include "store/positional_file.hpp"

namespace sv {

/// A header as it stands in a file of so many bytes.
struct HeaderBytes {
  std::vector<std::byte> bytes;
  int64_t file_bytes = 0;
};

/// Local. Only the fields that give the length of the header have been checked. Error(not_found), Error(format) if it
/// is not CDF-1/2/5.
HeaderBytes read_header(const std::string &path);
/// Local. The definitions in such bytes of the file `path`. Error(format).
PlacedSchema definitions_in(const HeaderBytes &header, const std::string &path);

/// Local. Both at once.
PlacedSchema read_schema(const std::string &path);
/// The same of a file that is open, whose first bytes are `mended` instead of its own; see mended_header.
PlacedSchema read_schema(PositionalFile &file, std::span<const std::byte> mended);

}  // namespace sv
