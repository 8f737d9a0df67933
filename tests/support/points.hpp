// Random owners of the points of a grid, and random ways to write them. Equal on all ranks for equal seeds.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "random_case.hpp"

namespace svtest {

/// The cells of each rank, in the order of its arrays.
using Owners = std::vector<Numbers>;

inline int64_t number_of(const char *name, int64_t otherwise) {
  const char *text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

/// Cells in any order, or runs of them, dealt to the ranks; `left_out`: percent without an owner.
inline Owners random_owners(Random &random, int64_t cells, int ranks, int left_out) {
  Owners owners(static_cast<size_t>(ranks));
  const int64_t run = random.one_of(Numbers{1, 1, 5, 40});
  std::vector<int64_t> runs(static_cast<size_t>((cells + run - 1) / run));
  std::iota(runs.begin(), runs.end(), 0);
  if (random.chance(70)) random.shuffle(runs);
  const bool some = random.chance(30);  // ranks get nothing
  for (const int64_t each : runs) {
    if (random.chance(left_out)) continue;
    Numbers &cells_of = owners[static_cast<size_t>(random.between(0, some ? (ranks - 1) / 2 : ranks - 1))];
    for (int64_t cell = each * run; cell < std::min(cells, (each + 1) * run); ++cell) cells_of.push_back(cell);
  }
  return owners;
}

inline std::vector<std::string> random_point_options(Random &random, int ranks) {
  static const std::vector<std::string> routes{"route=auto", "route=ranges", "route=ranges", "route=serial",
                                               "route=shared"};
  std::vector<std::string> options{random.one_of(routes), "file_system.stripe=4096"};
  const bool ranges = options[0] == "route=auto" || options[0] == "route=ranges";
  const int64_t writers = ranges ? random.between(1, ranks) : 1;
  if (ranges) options.push_back("writers=" + std::to_string(writers));
  if (options[0] != "route=shared" && random.chance(40))
    options.push_back("points.primaries=" + std::to_string(random.between(1, writers)));
  options.push_back(random.one_of(
      std::vector<std::string>{"points.partition=ranges", "points.partition=cells", "points.partition=levels"}));
  if (random.chance(40)) options.push_back("transport.window=" + std::to_string(random.between(16, 64) * 4096));
  if (random.chance(15)) options.push_back("transport=send");
  return options;
}

}  // namespace svtest
