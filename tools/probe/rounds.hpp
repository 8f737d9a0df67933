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

/// Collective. Throws std::invalid_argument if there is no room in the folder, std::runtime_error if a measurement
/// fails; on all ranks. Rank 0 prints the current measurement on standard error.
Run probe(Team &team, const Options &options, sv_tools::Janitor &janitor);

}  // namespace sv_probe
