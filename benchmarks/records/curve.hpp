// The owners of cells if ranks own pieces of a space-filling curve, as in dynamically balanced models.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace sv_bench {

/// Tiles (row, column) of a grid of rows x columns tiles, in the order of a Hilbert curve through the smallest square
/// of 2^k that has them all. D. Hilbert 1891, "Über die stetige Abbildung einer Linie auf ein Flächenstück".
std::vector<std::array<int64_t, 2>> hilbert_order(int64_t rows, int64_t columns);

/// The division of `length` tiles among ranks, uneven on purpose: 4, 5, 3, 4, 5, 3 ... parts each.
std::array<int64_t, 2> uneven_part(int64_t length, int ranks, int rank);

}  // namespace sv_bench
