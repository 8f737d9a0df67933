#include "file/ownership.hpp"

#include <numeric>

#include "plan/pieces.hpp"

namespace sv {

Route Ownership::ranges(const RouteRequest &request) const {
  const Layout any({1}, context_.comm.size(), {}, true);  // owners of ranges do not depend on it
  return resolve(request, any, context_.topology(), surroundings);
}

void Ownership::choose() {
  combined_.reset();
  if (context_.options.of_servers) {
    of_ranges.resize(static_cast<size_t>(asked.writers.n));
    std::iota(of_ranges.begin(), of_ranges.end(), 0);
  } else if (const auto request = asked.ranges()) {
    of_ranges = ranges(*request).writers;
  }
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
