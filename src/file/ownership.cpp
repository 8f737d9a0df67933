#include "file/ownership.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "plan/pieces.hpp"

namespace sv {

Route Ownership::ranges(const RouteRequest &request) const {
  const Layout any({1}, context_.comm.size(), {}, true);  // owners of ranges do not depend on it
  return resolve(request, any, context_.topology(), surroundings);
}

void Ownership::choose(bool has_chunks, int primaries) {
  combined_.reset();
  if (by == WrittenBy::servers) return;
  if (by == WrittenBy::threads) {
    choose_of_nodes(has_chunks, primaries);
  } else if (context_.options.of_servers) {
    of_ranges.resize(static_cast<size_t>(asked.writers.n));
    std::iota(of_ranges.begin(), of_ranges.end(), 0);
  } else if (const auto request = asked.ranges()) {
    of_ranges = ranges(*request).writers;
  }
}

/// The lowest ranks of as many nodes: then one thread writes neighbouring parts of the file.
void Ownership::choose_of_nodes(bool has_chunks, int primaries) {
  const Topology &topology = context_.topology();
  const int writers = asked.writers.kind == Writers::Kind::count ? asked.writers.n : 0;
  int nodes = asked.name == "serial" || has_chunks ? 1 : topology.nodes();
  if (writers > 0) nodes = std::min(writers, nodes);
  of_ranges.clear();
  for (int node = 0; node < nodes; ++node) of_ranges.push_back(topology.ranks_of[static_cast<size_t>(node)].front());
  std::sort(of_ranges.begin(), of_ranges.end());
  only_these = true;
  remark.clear();
  for (const auto &[key, count] : {std::pair("writers", writers), std::pair("points.primaries", primaries)})
    if (remark.empty() && count > nodes)
      remark = std::string(key) + " = " + std::to_string(count) + ", but a file that is written behind has " +
               std::to_string(nodes) +
               (has_chunks ? ": one rank compresses and writes, with 'compression.threads' threads"
                           : ": one rank of a node writes");
}

Route Ownership::route(const Layout &layout) const {
  return by == WrittenBy::ranks ? resolve(asked, layout, context_.topology(), surroundings) : route_of_ranges();
}

Route Ownership::route_of_ranges() const {
  Route route;
  route.name = by == WrittenBy::servers ? "servers" : "ranges";
  route.writers = of_ranges;
  if (by == WrittenBy::servers) route.reason = "servers write it while the model computes";
  return route;
}

Route Ownership::reading_route() const {
  RouteRequest request;
  request.name = "ranges";
  if (asked.counts_writers()) request.writers = nearest_writers(asked.writers, context_.topology());
  return ranges(request);
}

const std::vector<int> &Ownership::of_combined() const {
  if (only_these || asked.chooses_owners()) return of_ranges;
  if (!combined_) combined_ = ranges({"ranges", 0, 0, {}}).writers;
  return *combined_;
}

std::vector<int> Ownership::writers(const Layout &layout, const Route &route) const {
  if (!route.self) return route.writers;
  std::vector<int> writers;
  if (layout.points() == nullptr)
    for (const Territory &block : blocks_of(layout, route)) writers.push_back(block.rank);
  for (int rank = 0; layout.points() != nullptr && rank < layout.ranks(); ++rank)
    if (layout.cells_of_rank(rank) > 0) writers.push_back(rank);
  return writers;
}

}  // namespace sv
