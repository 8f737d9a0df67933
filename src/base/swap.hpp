// Copies elements and reverses the bytes of each, at memory speed: from the order of this machine to that of netCDF
// files, and back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sv {

/// Copies `count` elements of `width` bytes (1, 2, 4 or 8) and reverses the bytes of each. The ranges do not overlap,
/// and need not be aligned.
void swap_copy(const std::byte *from, std::byte *to, int64_t count, int64_t width);
/// The same, past the caches if the machine supports it: for many bytes that another process reads next. It does not
/// load the old contents of `to`, and evicts nothing from the caches.
void swap_copy_past_caches(const std::byte *from, std::byte *to, int64_t count, int64_t width);
/// Reverses the bytes of each of `count` elements where they stand.
void swap_in_place(std::byte *bytes, int64_t count, int64_t width);

}  // namespace sv
