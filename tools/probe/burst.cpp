#include <algorithm>

#include "probe.hpp"

namespace sv_probe {

Burst find_burst(Bench &bench, const Options &options, const Measured &measured, double seconds) {
  constexpr int least = 5;  // blocks that determine a rate
  Burst burst;
  burst.writers = enough_writers(measured);
  burst.block_bytes = burst.writers * call_bytes;
  const int64_t most = std::min(options.burst_bytes, bench.scratch.free_bytes() / 2);
  bench.scratch.renew();
  const std::unique_ptr<Opened> file = open_file(bench, {burst.writers});
  double used = 0;
  for (int64_t block = 0; (block + 1) * burst.block_bytes <= most && used < seconds; ++block) {
    const Seconds took = bench.team.time({burst.writers}, [&](int place) {
      file->write(bench.data, call_bytes, (block * burst.writers + place) * call_bytes);
    });
    used += took.wall;
    burst.rates.push_back(static_cast<double>(burst.block_bytes) / took.wall);
    burst.fall = find_fall(burst.rates, least);
    if (burst.fall.found) break;
  }
  return burst;
}

}  // namespace sv_probe
