#include "points.hpp"

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "packing/point_rows.hpp"

namespace sv_plan {

namespace {

constexpr int64_t most_dealt = int64_t{1} << 28;

using Runs = std::vector<sv::RunList>;  // by rank

Runs strips(int64_t cells, int ranks) {
  Runs runs(static_cast<size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const sv::Part part = sv::part_of(cells, ranks, rank);
    runs[static_cast<size_t>(rank)].push(part.start, part.count);
  }
  return runs;
}

/// The first cells of a shuffled list, as many as even parts have, are those of rank 0, and so on.
Runs dealt(int64_t cells, int ranks) {
  std::vector<int> owner(static_cast<size_t>(cells));
  for (int rank = 0; rank < ranks; ++rank) {
    const sv::Part part = sv::part_of(cells, ranks, rank);
    std::fill_n(owner.begin() + part.start, part.count, rank);
  }
  std::shuffle(owner.begin(), owner.end(), std::mt19937_64(1));
  Runs runs(static_cast<size_t>(ranks));
  for (int64_t cell = 0; cell < cells; ++cell)
    runs[static_cast<size_t>(owner[static_cast<size_t>(cell)])].extend(cell, 1);
  return runs;
}

/// How many runs have points in these cells.
int64_t runs_in(const sv::PointRuns &runs, const std::pair<int64_t, int64_t> &cells) {
  const auto end = std::lower_bound(runs.place.begin(), runs.place.end(), cells.second) - runs.place.begin();
  return std::max<int64_t>(0, end - runs.run_at(cells.first));
}

}  // namespace

const std::vector<std::string> &point_kinds() {
  static const std::vector<std::string> kinds{"random", "strips"};
  return kinds;
}

std::shared_ptr<const sv::Layout> point_layout(const std::string &kind, const sv::Index &grid, int ranks) {
  const int64_t cells = grid.product();
  if (cells < ranks)
    throw sv::Error(sv::Status::layout,
                    std::to_string(ranks) + " ranks cannot have a cell each of " + std::to_string(cells),
                    "The nearest number of ranks that can is " + std::to_string(cells));
  const bool deals = kind == "random";
  if (deals && cells > most_dealt)
    throw sv::Error(sv::Status::limit, "more than 2^28 cells are not dealt one by one", "Ask for --points strips");
  const auto runs = std::make_shared<Runs>(deals ? dealt(cells, ranks) : strips(cells, ranks));
  auto table = std::make_shared<sv::PointTable>(ranks);
  std::vector<int64_t> owned;
  for (int rank = 0; rank < ranks; ++rank) {
    table->set(rank, (*runs)[static_cast<size_t>(rank)].view());
    owned.push_back(table->of(rank).points());
  }
  table->keep(sv::PointTable::Memory::neighbours, runs);
  return std::make_shared<const sv::Layout>(grid, owned, std::move(table), false);
}

PointMemory memory_of_points(const sv::Plan &plan, const sv::Topology &topology) {
  // Numbers in the lists of a rank besides its runs and holes: an owner, a number of runs, the points of all.
  constexpr int64_t word = sizeof(int64_t), list_words = 6;
  const sv::Stage &stage = plan.stages.front();
  const sv::PointTable &table = *stage.sources->points();
  PointMemory memory;
  for (int rank = 0; rank < topology.ranks(); ++rank) {
    memory.runs += table.of(rank).runs();
    memory.most_runs = std::max(memory.most_runs, table.of(rank).runs());
  }
  const bool shares = topology.nodes() > 1;
  // Where its runs stand in its arrays, and, where nothing is shared, its list; of each rank of the job, where its list
  // is (PointTable) and how many points it has (Layout).
  constexpr int64_t of_each_rank = sizeof(sv::PointRuns) + 2 * word;
  memory.rank_bytes = memory.most_runs * (shares ? 1 : 3) * word + topology.ranks() * of_each_rank;
  if (!shares) return memory;
  for (int node = 0; node < topology.nodes(); ++node) {
    std::pair<int64_t, int64_t> wanted{0, 0};
    for (const int s : stage.sinks.of_node(node)) {
      const auto cells =
          sv::CellRanges(plan.field, stage.sources->shape().n, stage.sinks[static_cast<size_t>(s)].territory).cells();
      if (wanted.first == wanted.second) wanted = cells;
      wanted = {std::min(wanted.first, cells.first), std::max(wanted.second, cells.second)};
    }
    int64_t words = 0;
    for (const int rank : topology.ranks_of[static_cast<size_t>(node)]) words += 2 * table.of(rank).runs() + list_words;
    for (int rank = 0; wanted.first < wanted.second && rank < topology.ranks(); ++rank)
      if (topology.node_of[static_cast<size_t>(rank)] != node)
        words += 2 * runs_in(table.of(rank), wanted) + list_words;
    memory.node_bytes = std::max(memory.node_bytes, words * word);
  }
  return memory;
}

}  // namespace sv_plan
