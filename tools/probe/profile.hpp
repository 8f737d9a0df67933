// The results as a machine profile (docs/prediction.md) and as JSON.
#pragma once

#include <string>
#include <vector>

#include "rounds.hpp"

namespace sv_probe {

struct Key {
  std::string name, unit;
  double value = 0;
  std::string how;  // it was measured
  Samples samples;  // none where it follows from a curve
};

/// In the order of docs/prediction.md. Unknown keys are left out where the format allows it.
std::vector<Key> keys_of(const Team &team, const Run &run);
/// Lines "key: number", each behind a comment with the method, and the least, middle and largest sample.
std::string profile_text(const std::vector<Key> &keys, const Team &team, const Options &options, const Run &run);
/// All samples: docs/probe.md.
std::string json_text(const std::vector<Key> &keys, const Team &team, const Options &options, const Run &run);

}  // namespace sv_probe
