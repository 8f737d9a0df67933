#include "division.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <stdexcept>

namespace sv_bench {

namespace {

Interval share(int64_t length, int parts, int part) {
  Interval interval{0, 0};
  if (sv_block(length, parts, part, &interval.begin, &interval.end) != SV_OK)
    throw std::runtime_error(std::string("sv_block: ") + sv_message());
  interval.end += interval.begin;
  return interval;
}

// Whether `next` goes on where `region` ends, with the same cells.
bool continues(const Region &region, int64_t level, const Interval &cells) {
  return region.start[0] + region.count[0] == level && region.start[1] == cells.begin &&
         region.count[1] == cells.end - cells.begin;
}

}  // namespace

Partition partition_named(const std::string &name) {
  if (name == "cells") return Partition::cells;
  if (name == "levels") return Partition::levels;
  if (name == "ranges") return Partition::ranges;
  throw std::invalid_argument("there is no partition '" + name + "'; give cells, levels or ranges");
}

Interval Division::of(int worker, int64_t level) const {
  if (partition == Partition::cells || levels == 1) return share(cells, workers, worker);
  if (partition == Partition::levels) {
    const Interval mine = share(levels, workers, worker);
    return {0, level >= mine.begin && level < mine.end ? cells : 0};
  }
  const Interval mine = share(levels * cells, workers, worker);
  const int64_t first = level * cells;
  const Interval here{std::max(mine.begin, first) - first, std::min(mine.end, first + cells) - first};
  return here.empty() ? Interval{0, 0} : here;
}

Interval Division::hull(int worker) const {
  Interval hull{cells, 0};
  for (int64_t level = 0; level < levels; ++level) {
    const Interval here = of(worker, level);
    if (here.empty()) continue;
    hull.begin = std::min(hull.begin, here.begin);
    hull.end = std::max(hull.end, here.end);
  }
  return hull.empty() ? Interval{0, 0} : hull;
}

int64_t Division::values(int worker) const {
  int64_t sum = 0;
  for (int64_t level = 0; level < levels; ++level) sum += of(worker, level).end - of(worker, level).begin;
  return sum;
}

std::vector<Region> Division::regions(int worker, bool has_levels) const {
  std::vector<Region> found;
  for (int64_t level = 0; level < levels; ++level) {
    const Interval here = of(worker, level);
    if (here.empty()) continue;
    if (!found.empty() && continues(found.back(), level, here)) {
      ++found.back().count[0];
    } else {
      found.push_back({{level, here.begin}, {1, here.end - here.begin}});
    }
  }
  if (found.empty()) found.push_back({{0, 0}, {0, 0}});
  if (!has_levels) {
    for (Region &region : found) region = {{region.start[1]}, {region.count[1]}};
  }
  return found;
}

bool Division::in_one_piece() const {
  bool single = true;
  for (int worker = 0; worker < workers; ++worker) single = single && regions(worker, true).size() == 1;
  return single;
}

}  // namespace sv_bench
