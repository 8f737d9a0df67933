// Constants and fields of the header of CDF-1, CDF-2 and CDF-5. Internal to the stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/schema.hpp"

namespace sv {

enum class Tag : uint32_t { absent = 0, dimension = 0x0A, variable = 0x0B, attribute = 0x0C };

/// Longer headers are neither written nor read: half a million variables fit, and the memory for reading one stays
/// bounded.
constexpr int64_t longest_header = int64_t{64} << 20;

/// Bytes of a count or length, and of the offset of a variable.
constexpr int64_t count_width(Format format) { return format == Format::cdf5 ? 8 : 4; }
constexpr int64_t offset_width(Format format) { return format == Format::cdf1 ? 4 : 8; }

/// The number of records stands here, as a count.
constexpr int64_t records_offset = 4;
std::vector<std::byte> encode_records(Format format, int64_t records);
/// -1 for the special value of a file that was written as a stream: as many records as the file's length gives.
int64_t decode_records(Format format, const std::byte *field);

}  // namespace sv
