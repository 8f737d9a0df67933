#include "report/speed_up.hpp"

#include <algorithm>
#include <cmath>

namespace sv {

SpeedUp speed_up(const OverlapTimes &times) {
  SpeedUp result;
  const double origin = times.compute + times.write, model = times.compute + times.send,
               behind = times.receive + times.write;
  if (std::max(model, behind) > 0) result.predicted = origin / std::max(model, behind);
  if (times.wall > 0) result.achieved = origin / times.wall;
  if (times.compute > 0) result.bound = 1 + times.write / times.compute;
  if (model > 0) result.enough = std::max(1, static_cast<int>(std::ceil(times.servers * behind / model)));
  return result;
}

}  // namespace sv
