// The plan's counts as seconds on a machine.
#pragma once

#include <string>

#include "machine.hpp"
#include "prediction/served_clock.hpp"
#include "study.hpp"

namespace sv_plan {

/// On a machine: of one field, and of the run of --servers.
struct Outcome {
  sv::PhaseSeconds phases;
  sv::ServedSeconds served;
};

struct Seconds {
  sv::PlanCounts counts;
  MachineProfile profile;
  CountedCodec codec;
  int rounds = 1;
  sv::ServedRun run;
  Outcome expected, low, high;  // low, high: on a machine as fast, and as slow, as the profile's band allows
};

/// Reads the profile of --predict. Throws sv::Error.
Seconds seconds_of(const Scene &scene, const Study &study);
std::string seconds_text(const Scene &scene, const Seconds &seconds);
std::string seconds_json(const Scene &scene, const Seconds &seconds);

}  // namespace sv_plan
