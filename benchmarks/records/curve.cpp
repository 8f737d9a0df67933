#include "curve.hpp"

#include <utility>

namespace sv_bench {

namespace {

// The cell at a distance along the curve that fills a square of side 2^k.
std::array<int64_t, 2> cell_at(int64_t side, int64_t distance) {
  int64_t x = 0, y = 0;
  for (int64_t s = 1; s < side; s *= 2, distance /= 4) {
    const int64_t right = 1 & (distance / 2), up = 1 & (distance ^ right);
    if (up == 0) {
      if (right == 1) {
        x = s - 1 - x;
        y = s - 1 - y;
      }
      std::swap(x, y);
    }
    x += s * right;
    y += s * up;
  }
  return {y, x};
}

int64_t weights_before(int rank) {
  constexpr int64_t before[] = {0, 4, 9};  // of 4, 5, 3
  return rank / 3 * 12 + before[rank % 3];
}

}  // namespace

std::vector<std::array<int64_t, 2>> hilbert_order(int64_t rows, int64_t columns) {
  int64_t side = 1;
  while (side < rows || side < columns) side *= 2;
  std::vector<std::array<int64_t, 2>> order;
  for (int64_t distance = 0; distance < side * side; ++distance) {
    const std::array<int64_t, 2> cell = cell_at(side, distance);
    if (cell[0] < rows && cell[1] < columns) order.push_back(cell);
  }
  return order;
}

std::array<int64_t, 2> uneven_part(int64_t length, int ranks, int rank) {
  const int64_t all = weights_before(ranks);
  return {length * weights_before(rank) / all, length * weights_before(rank + 1) / all};
}

}  // namespace sv_bench
