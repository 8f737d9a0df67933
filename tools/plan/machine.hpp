// A machine profile: a text of lines "key: number", which is YAML, too.
#pragma once

#include <string>

#include "codec_rates.hpp"
#include "prediction/prediction.hpp"

namespace sv_plan {

struct MachineProfile {
  sv::Machine machine;
  CodecRates codecs;
  double band = 2;  // the machine may be so many times faster or slower in everything
};
/// All rates times `factor`, all times by it.
sv::Machine faster(sv::Machine machine, double factor);

/// Throws sv::Error: no such file; a key that is unknown, missing or twice there; a number out of range.
MachineProfile read_machine(const std::string &path);

}  // namespace sv_plan
