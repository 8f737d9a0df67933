// The sum CRC-32C (RFC 3720, appendix B.4), which Zarr's shards have behind their index. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sv {

/// `before`: the sum of the bytes before these; 0 where there are none.
uint32_t crc32c(std::span<const std::byte> bytes, uint32_t before = 0);

}  // namespace sv
