#include "servers/served.hpp"

#include <algorithm>

#include "plan/gathering.hpp"
#include "plan/plan.hpp"
#include "plan/serving.hpp"

namespace sv {

bool is_synchronous(const Settings &settings) { return settings.forwarding == Forwarding::synchronous; }

Pace pace_of(const Settings &settings) {
  return settings.forwarding == Forwarding::paced ? Pace{true, settings.pace_bytes} : Pace{};
}

bool asks_for_primaries(const Settings &settings) {
  const auto asks = [](const FileSettings &file) { return file.points.primaries > 0; };
  return asks(settings.file) || std::any_of(settings.patterns.begin(), settings.patterns.end(),
                                            [&](const auto &pattern) { return asks(pattern.second); });
}

Plan served_plan(const File &file, const ServedField &field, const Link &link, const std::vector<int> &servers,
                 Direction direction) {
  const Topology &topology = link.topology();
  const Home &home = file.home();
  const Places &places = home.places();
  Route route{"ranges", 0, 0, false, servers, {}};
  route.writers.resize(home.owners.of_ranges.size());
  // Ranges end on chunks there; parts of a dimension need not.
  const bool divides = field.layout->points() != nullptr && home.maker.kind().placing != Placing::in_chunks;
  if (divides) route.partition = file.settings().points.partition;
  const int64_t ring_bytes = link.memory().shape().ring_bytes;
  Field planned = places.field(field.variable, field.record);
  planned.first_axis = field.first_axis;
  const PointRequest &points = file.settings().points;
  const bool gathers = field.layout->points() != nullptr && direction == Direction::write &&
                       !home.maker.kind().has_team && points.partition == Partition::ranges;
  if (const Route asked = gathers ? with_points(route, points) : Route{}; !asked.primaries.empty()) {
    // The slice of one primary, alone on its node or not.
    const Budget budget = served_budget(ring_bytes, {servers.front()}, topology);
    const auto plan = gathering_plan(field.layout, planned, asked, topology, {budget.slices, ring_bytes / 4});
    if (plan) return *plan;
  }
  return make_plan(field.layout, planned, route,
                   {topology, places.extents(field.variable), places.stripe_bytes(field.variable),
                    served_budget(ring_bytes, route.writers, topology)});
}

}  // namespace sv
