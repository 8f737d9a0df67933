// Fills memory with one value of any type. Schedules, homes and stores use it for fill values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sv {

/// Fills `elements` cells at `to` with `value` (one element, in file order).
void fill_elements(std::byte *to, int64_t elements, const std::byte *value, int64_t element_bytes);

}  // namespace sv
