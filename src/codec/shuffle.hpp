// HDF5's filters that need no library: shuffle and Fletcher32. "HDF5 File Format Specification" and its sources
// H5Zshuffle.c and H5checksum.c. Stores with chunks use them together with the codecs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sv {

/// All first bytes of the elements, then all second ones, and so on; bytes behind the last whole element stay behind.
/// `from` and `to` have the same length and do not overlap.
void shuffle_bytes(std::span<const std::byte> from, std::span<std::byte> to, int element_bytes);
void unshuffle_bytes(std::span<const std::byte> from, std::span<std::byte> to, int element_bytes);

/// HDF5's form of Fletcher's checksum: of big-endian words of 16 bits, the last one filled with 0.
uint32_t fletcher32(std::span<const std::byte> bytes);

}  // namespace sv
