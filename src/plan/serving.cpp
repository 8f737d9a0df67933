#include "plan/serving.hpp"

#include <algorithm>

namespace sv {

int64_t ring_bytes_of(int64_t memory_bytes, int rings) {
  return std::max(memory_bytes / rings / ring_page_bytes, int64_t{1}) * ring_page_bytes;
}

std::shared_ptr<const Layout> among_all(const Layout &layout, const std::vector<int> &ranks, int all) {
  return std::make_shared<const Layout>(layout.shape(), layout.table().renumbered(ranks, all), layout.holes_declared());
}

int served_owners(const RouteRequest &request, size_t servers) {
  const auto all = static_cast<int>(servers);
  if (request.name == "serial") return 1;
  return request.writers.kind == Writers::Kind::count ? std::clamp(request.writers.n, 1, all) : all;
}

Budget served_budget(int64_t ring_bytes, const std::vector<int> &writers, const Topology &topology) {
  constexpr int64_t most_round_bytes = 16 << 20;  // a server begins to write when its first round has come
  // So that some fill while others are written. A block may need its length and, at the end of a lap, almost as much
  // again, and a server keeps back as much: a larger share of the ring could be waited for in vain.
  const int64_t quarter = ring_bytes / 4;
  return {std::min(quarter, most_round_bytes * topology.most_on_a_node(writers)), topology.nodes() > 1 ? quarter : 0};
}

}  // namespace sv
