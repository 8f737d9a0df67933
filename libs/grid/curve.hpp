// The Hilbert curve. Hilbert 1891, "Über die stetige Abbildung einer Linie auf ein Flächenstück".
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

namespace sv::grid {

/// The place of cell (x, y) along the curve that fills the smallest square of a power of two that holds `side` cells.
inline uint64_t hilbert(uint64_t side, uint64_t x, uint64_t y) {
  const uint64_t full = std::bit_ceil(side);
  uint64_t place = 0;
  for (uint64_t half = full / 2; half > 0; half /= 2) {
    const uint64_t right = (x & half) != 0, up = (y & half) != 0;
    place += half * half * ((3 * right) ^ up);
    if (up == 0) {
      if (right == 1) x = full - 1 - x, y = full - 1 - y;
      std::swap(x, y);
    }
  }
  return place;
}

/// Of cell (x, y) of one of several squares, one after the other.
inline uint64_t curve_place(uint64_t square, uint64_t side, uint64_t x, uint64_t y) {
  const uint64_t full = std::bit_ceil(side);
  return square * full * full + hilbert(side, x, y);
}

}  // namespace sv::grid
