// Whether other programs leave cores to the ranks of a job on one machine: a few ranks that share cores with others
// wait for each other, so that one rank may be as fast.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

namespace sv_tools {

/// A sentence where `ranks` have fewer cores than ranks, of `cores` that they may use, `load` of which other programs
/// used before they began; empty: nothing to say.
inline std::string busy_cores(double load, int cores, int ranks) {
  if (ranks < 2 || cores - load + 0.5 >= ranks) return "";
  char text[120];
  std::snprintf(text, sizeof text, "other programs use %.0f of %d cores: one rank may be as fast",
                std::min(load, static_cast<double>(cores)), cores);
  return text;
}

}  // namespace sv_tools
