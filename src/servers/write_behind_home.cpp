#include "servers/write_behind_home.hpp"

#include <algorithm>

#include "file/file.hpp"

namespace sv {

namespace {

/// The lowest ranks of the first `nodes` nodes, ascending.
std::vector<int> lowest_ranks(const Topology &topology, int nodes) {
  std::vector<int> ranks;
  for (int node = 0; node < nodes; ++node) ranks.push_back(topology.ranks_of[static_cast<size_t>(node)].front());
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

}  // namespace

/// One rank of a node writes: then one thread writes what comes one after the other in the file. Where chunks stand,
/// one rank alone knows.
void WriteBehindHome::choose_writers() {
  const Topology &topology = context_.topology();
  const Writers &writers = owners.asked.writers;
  const bool counts = writers.kind == Writers::Kind::count;
  int nodes = topology.nodes();
  if (owners.asked.name == "serial" || has_chunks()) nodes = 1;
  if (counts) nodes = std::clamp(writers.n, 1, nodes);
  owners.of_ranges = lowest_ranks(topology, nodes);
  owners.only_these = true;
  forget_places();
  remark_ = remark_on("writers", counts ? writers.n : 0);
  if (remark_.empty()) remark_ = remark_on("primaries", file_.settings().points.primaries);
  check_promises();
  for (int v = 0; has_chunks() && file_.mode == Mode::define && v < std::ssize(file_.schema().variables); ++v)
    places().stripe_bytes(v);  // checks chunks
}

/// What others have written may not be in the file yet, nor the metadata by which it is found.
Readers WriteBehindHome::readers() const {
  return has_chunks() && file_.mode == Mode::data ? Readers::owners_only : Home::readers();
}

std::string WriteBehindHome::remark_on(const std::string &key, int asked) const {
  const auto have = static_cast<int>(owners.of_ranges.size());
  if (asked <= have) return "";
  return key + " = " + std::to_string(asked) + ", but a file that is written behind has " + std::to_string(have) +
         (has_chunks() ? ": one rank compresses and writes, with 'server_threads' threads"
                       : ": one rank of a node writes");
}

Route WriteBehindHome::new_route(const Layout &layout) const {
  Route route = route_of_ranges();
  route.reason = context_.settings.servers.chooses()
                     ? "one rank on each node writes, in the calls or in a thread beside them, whichever costs less"
                     : "a thread of one rank on each node writes while the model computes";
  if (has_chunks()) return route;  // chunks have owners
  PointRequest points = file_.settings().points;
  points.primaries = std::min(points.primaries, static_cast<int>(owners.of_ranges.size()));
  return layout.points() == nullptr ? route : with_points(std::move(route), points);
}

}  // namespace sv
