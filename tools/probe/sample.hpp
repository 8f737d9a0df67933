// The values for measurements of codecs: in chunks, as a store has them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sv_probe {

struct Sample {
  std::string name;
  int element_bytes = 4;
  std::vector<std::vector<std::byte>> chunks;
  double bytes() const;
};

/// Local. The probe's own.
Sample smooth_sample();
/// Local. Of FILE:VARIABLE: at most 4 MiB, evenly over the levels of its last record. Throws std::invalid_argument.
Sample read_sample(const std::string &name);

}  // namespace sv_probe
