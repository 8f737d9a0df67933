#include "serve/served.hpp"

#include <algorithm>

#include "plan/gathering.hpp"
#include "plan/plan.hpp"

namespace sv {

bool is_synchronous(const Settings &settings) { return settings.forwarding == Forwarding::synchronous; }

Pace pace_of(const Settings &settings) {
  return settings.forwarding == Forwarding::paced ? Pace{true, settings.pace_bytes} : Pace{};
}

int served_owners(const FileSettings &settings, size_t servers) {
  const auto all = static_cast<int>(servers);
  if (settings.route.name == "serial") return 1;
  return settings.route.writers.kind == Writers::Kind::count ? std::clamp(settings.route.writers.n, 1, all) : all;
}

bool asks_for_primaries(const Settings &settings) {
  const auto asks = [](const FileSettings &file) { return file.points.primaries > 0; };
  return asks(settings.file) || std::any_of(settings.patterns.begin(), settings.patterns.end(),
                                            [&](const auto &pattern) { return asks(pattern.second); });
}

Plan served_plan(const File &file, const ServedField &field, const Link &link, const std::vector<int> &servers,
                 Direction direction) {
  constexpr int64_t most_round_bytes = 16 << 20;  // a server begins to write when its first round has come
  const Topology &topology = link.topology();
  const Home &home = file.home();
  const Places &places = home.places();
  Route route{"ranges", 0, 0, false, servers, {}};
  route.writers.resize(home.owners.of_ranges.size());
  // Ranges end on chunks there; parts of a dimension need not.
  const bool divides = field.layout->points() != nullptr && home.maker.kind().placing != Placing::in_chunks;
  if (divides) route.partition = file.settings().points.partition;
  std::vector<int> on_node(static_cast<size_t>(topology.nodes()), 0);
  for (const int server : route.writers) ++on_node[static_cast<size_t>(topology.node_of[static_cast<size_t>(server)])];
  const int most = *std::max_element(on_node.begin(), on_node.end());
  // So that some fill while others are written. A block may need its length and, at the end of a lap, almost as much
  // again, and a server keeps back as much: a larger share of the ring could be waited for in vain.
  const int64_t quarter = link.memory().shape().ring_bytes / 4;
  Field planned = places.field(field.variable, field.record);
  planned.first_axis = field.first_axis;
  const PointRequest &points = file.settings().points;
  const bool gathers = field.layout->points() != nullptr && direction == Direction::write &&
                       !home.maker.kind().has_team && points.partition == Partition::ranges;
  if (const Route asked = gathers ? with_points(route, points) : Route{}; !asked.primaries.empty()) {
    const auto plan =
        gathering_plan(field.layout, planned, asked, topology, {std::min(quarter, most_round_bytes), quarter});
    if (plan) return *plan;
  }
  return make_plan(field.layout, planned, route,
                   {topology,
                    places.extents(field.variable),
                    places.stripe_bytes(field.variable),
                    {std::min(quarter, most_round_bytes * most), topology.nodes() > 1 ? quarter : 0}});
}

}  // namespace sv
