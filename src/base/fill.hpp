// Fills memory with one value, whatever its type: schedules, homes and stores do so with fill values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sv {

/// Fills `elements` cells at `to` with `value` (one element, in file order).
void fill_elements(std::byte *to, int64_t elements, const std::byte *value, int64_t element_bytes);

}  // namespace sv
