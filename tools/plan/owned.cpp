#include "owned.hpp"

#include <algorithm>
#include <utility>

#include "packing/point_rows.hpp"
#include "plan/loads.hpp"

namespace sv_plan {

namespace {

sv::RunList joined(const sv::PointTable &table, const std::vector<int> &ranks) {
  std::vector<std::pair<int64_t, int64_t>> all;
  for (const int rank : ranks) {
    const sv::PointRuns &runs = table.of(rank);
    for (int64_t run = 0; run < runs.runs(); ++run)
      all.emplace_back(runs.place[static_cast<size_t>(run)], runs.length(run));
  }
  std::sort(all.begin(), all.end());
  sv::RunList list;
  for (const auto &[place, points] : all) list.extend(place, points);
  return list;
}

}  // namespace

Owned::Owned(const sv::Plan &plan, int stage, const std::vector<int> &ranks) : plan_(plan), stage_(stage) {
  const sv::Stage &of = plan.stages[static_cast<size_t>(stage)];
  if (of.sources->points() == nullptr)
    boxes_ = sv::boxes_of(plan, of, ranks);
  else
    points_ = joined(*of.sources->points(), ranks);
}

bool Owned::meets(const sv::Box &box) const {
  return !points_.place.empty() ||
         std::any_of(boxes_.begin(), boxes_.end(), [&](const sv::Box &own) { return meet(own, box); });
}

void Owned::for_each_flow(int sink, const std::function<void(int round, int64_t elements)> &visit) const {
  const sv::Stage &stage = plan_.stages[static_cast<size_t>(stage_)];
  if (stage.sources->points() == nullptr)
    return sv::for_each_flow(plan_, stage.sinks[static_cast<size_t>(sink)], boxes_, visit);
  if (points_.place.empty()) return;
  const sv::PointRuns points = points_.view();
  const int64_t first = points.place.front(), last = points.place.back() + points.length(points.runs() - 1);
  for (int round = 0; round < plan_.rounds; ++round) {
    const sv::CellRanges ranges(plan_.field, stage.sources->shape().n, plan_.share(stage_, sink, round));
    const auto [from, to] = ranges.cells();
    if (from >= last || to <= first) continue;
    if (const int64_t elements = ranges.elements(points); elements > 0) visit(round, elements);
  }
}

}  // namespace sv_plan
