// Which way of writing large stretches a storage gains from: so many pieces at a time, and past the page cache or not.
#pragma once

#include <compare>
#include <map>
#include <string>

#include "samples.hpp"

namespace sv_probe {

struct Way {
  bool direct = false;  // past the page cache
  int depth = 1;        // pieces at a time
  auto operator<=>(const Way &) const = default;
};
/// Bytes per second; the samples of one place were taken in one round, one way after the other.
using WayRates = std::map<Way, Samples>;

struct Choice {
  Way way;
  double gain = 1;  // how many times as fast as the plain way: the median of the rounds
  std::string why;  // in words
};

/// The way with the largest gain or, of those nearly as good, the plainest. The plain way, unless another is a tenth
/// faster in the median of the rounds, and not slower in any quarter of them.
Choice best_way(const WayRates &rates);

}  // namespace sv_probe
