#include "probe.hpp"

namespace sv_probe {

void measure_deflate(Bench & /*bench*/, Measured & /*measured*/) {}

}  // namespace sv_probe
