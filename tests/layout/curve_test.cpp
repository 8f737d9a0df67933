// The curve visits every cell once, and goes from neighbour to neighbour, also across the edges of the cube.
#include "layout/curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace {

using namespace sv;

TEST(Curve, VisitsEveryCellOfASquareFromNeighbourToNeighbour) {
  constexpr int level = 5;
  constexpr int64_t side = 1 << level;
  std::vector<std::array<int64_t, 2>> cells(side * side, {-1, -1});
  for (int64_t x = 0; x < side; ++x)
    for (int64_t y = 0; y < side; ++y) {
      const int64_t number = hilbert_number(level, x, y);
      ASSERT_GE(number, 0);
      ASSERT_LT(number, side * side);
      ASSERT_EQ(cells[static_cast<size_t>(number)][0], -1) << "visited twice";
      cells[static_cast<size_t>(number)] = {x, y};
    }
  EXPECT_EQ(cells.front(), (std::array<int64_t, 2>{0, 0}));
  EXPECT_EQ(cells.back(), (std::array<int64_t, 2>{side - 1, 0}));
  for (size_t i = 1; i < cells.size(); ++i)
    EXPECT_EQ(std::abs(cells[i][0] - cells[i - 1][0]) + std::abs(cells[i][1] - cells[i - 1][1]), 1);
}

struct Spot {
  int64_t number;
  std::array<double, 3> at;
};

/// The middle of a cell of equal angles, on the cube.
Spot spot_of(int axis, int sign, double first, double second) {
  std::array<double, 3> at{};
  at[static_cast<size_t>(axis)] = sign;
  at[static_cast<size_t>((axis + 1) % 3)] = std::tan(first);
  at[static_cast<size_t>((axis + 2) % 3)] = std::tan(second);
  const double length = std::hypot(at[0], at[1], at[2]);
  for (double &each : at) each /= length;
  const double degrees = 180 / std::numbers::pi;
  return {curve_number(std::atan2(at[1], at[0]) * degrees, std::asin(at[2]) * degrees), at};
}

TEST(Curve, GoesRoundTheSphereFromNeighbourToNeighbour) {
  constexpr int level = 4, side = 1 << level;
  constexpr double step = std::numbers::pi / 2 / side;
  std::vector<Spot> spots;
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {-1, 1})
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
          spots.push_back(spot_of(axis, sign, (i + 0.5 - side / 2) * step, (j + 0.5 - side / 2) * step));
  std::sort(spots.begin(), spots.end(), [](const Spot &a, const Spot &b) { return a.number < b.number; });
  for (size_t i = 0; i < spots.size(); ++i) {
    EXPECT_EQ(spots[i].number >> (2 * (curve_level - level)), static_cast<int64_t>(i)) << "each cell once";
    const Spot &next = spots[(i + 1) % spots.size()];
    const double chord =
        std::hypot(spots[i].at[0] - next.at[0], spots[i].at[1] - next.at[1], spots[i].at[2] - next.at[2]);
    EXPECT_LT(chord, 1.01 * step) << "from cell " << i << " to the one after it";
  }
}

TEST(Curve, TakesAnyLongitude) {
  EXPECT_EQ(curve_number(-90, 10), curve_number(270, 10));
  EXPECT_NE(curve_number(-90, 10), curve_number(90, 10));
}

}  // namespace
