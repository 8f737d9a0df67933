// Which policy of writing large stretches a storage gains from: so many pieces at a time, and past the page cache or
// not.
#pragma once

#include <compare>
#include <map>
#include <string>

#include "samples.hpp"

namespace sv_probe {

struct Policy {
  bool direct = false;  // past the page cache
  int depth = 1;        // pieces at a time
  auto operator<=>(const Policy &) const = default;
};
/// Bytes per second; the samples of one place were taken in one round, one policy after the other.
using PolicyRates = std::map<Policy, Samples>;

struct Choice {
  Policy policy;
  double gain = 1;  // how many times as fast as the plain policy: the median of the rounds
  std::string why;  // in words
};

/// The policy with the largest gain or, of those nearly as good, the plainest. The plain policy, unless another is a
/// tenth faster in the median of the rounds, and not slower in any quarter of them.
Choice best_policy(const PolicyRates &rates);

}  // namespace sv_probe
