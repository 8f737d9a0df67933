// How many nodes, and how many ranks, have data in a stripe of the file: those that send to its writer, and the
// writer's own.
#pragma once

#include "scene.hpp"

namespace sv_plan {

/// Over all stripes that the field touches.
struct OfStripe {
  double mean = 0;
  int most = 0;
};

struct StripeData {
  int64_t stripes = 0;
  OfStripe nodes, ranks;
};

/// Exact: walks the rows of all blocks.
StripeData stripe_data_of(const Scene &scene);

}  // namespace sv_plan
