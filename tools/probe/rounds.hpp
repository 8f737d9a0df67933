// The order of the measurements.
#pragma once

#include "probe.hpp"

namespace sv_probe {

struct Run {
  Measured measured;
  std::string sample;  // on which codecs were measured
  int rounds = 0;
  double seconds = 0;
};

/// Collective. Throws std::invalid_argument where there is no room in the folder, std::runtime_error where a
/// measurement fails; on all ranks. Rank 0 tells on standard error what is under way.
Run probe(Team &team, const Options &options, sv_tools::Janitor &janitor);

}  // namespace sv_probe
