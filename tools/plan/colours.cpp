#include "colours.hpp"

#include <algorithm>
#include <array>

#include "messages.hpp"

namespace sv_plan {

using sv_tools::hex, sv_tools::palette;

Colours::Colours(const Scene &scene) {
  find_blocks(scene);
  const auto ranks = static_cast<size_t>(scene.layout->ranks());
  group_.assign(ranks, 0);
  int groups = 1;
  const auto group_by = [&](const std::vector<int> &of_block, int n, const char *meaning) {
    for (size_t block = 0; block < rank_.size(); ++block) {
      if (rank_[block] >= 0) group_[static_cast<size_t>(rank_[block])] = of_block[block];
    }
    groups = n;
    meaning_ = meaning;
  };
  if (scene.collects())
    group_by(domain_, static_cast<int>(scene.domains.size()), "I/O domain");
  else if (scene.topology.nodes() > 1)
    group_by(node_, scene.topology.nodes(), "node");
  else if (!scene.has_ranges())
    group_by(rank_, scene.layout->ranks(), "rank");
  choose(scene, groups);
  // Writers of a group take turns, so that neighbours in the file differ.
  turn_.assign(ranks, 0);
  std::vector<int> taken(static_cast<size_t>(groups), 0);
  for (const int rank : scene.plan.route.writers) {
    turn_[static_cast<size_t>(rank)] = taken[static_cast<size_t>(group_[static_cast<size_t>(rank)])]++;
  }
}

void Colours::find_blocks(const Scene &scene) {
  const DomainIndex index(scene.domains);
  int rank = 0;
  for (int block = 0; block < scene.mask.px * scene.mask.py; ++block) {
    const bool has = scene.mask.has_rank[static_cast<size_t>(block)];
    const sv::Index cell{sv::part_of(scene.options.shape[1], scene.mask.py, block / scene.mask.px).start,
                         sv::part_of(scene.options.shape[2], scene.mask.px, block % scene.mask.px).start};
    rank_.push_back(has ? rank : -1);
    node_.push_back(has ? scene.topology.node_of[static_cast<size_t>(rank)] : -1);
    domain_.push_back(index.of(cell));
    rank += has;
  }
}

/// Greedy: each group takes the next colour that none of its neighbours has; those of writers first, in the order of
/// the file.
void Colours::choose(const Scene &scene, int groups) {
  std::vector<std::vector<int>> neighbours(static_cast<size_t>(groups));
  const int columns = scene.mask.px, rows = scene.mask.py;
  const auto group_at = [&](int x, int y) {
    const int rank = rank_[static_cast<size_t>(y) * columns + x];
    return rank < 0 ? -1 : group_[static_cast<size_t>(rank)];
  };
  const auto meet = [&](int a, int b) {
    if (a < 0 || b < 0 || a == b) return;
    neighbours[static_cast<size_t>(a)].push_back(b);
    neighbours[static_cast<size_t>(b)].push_back(a);
  };
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      if (x + 1 < columns) meet(group_at(x, y), group_at(x + 1, y));
      if (y + 1 < rows) meet(group_at(x, y), group_at(x, y + 1));
    }
  }
  colour_of_group_.assign(static_cast<size_t>(groups), -1);
  int next = 0;
  const auto colour_group = [&](int group) {
    if (colour_of_group_[static_cast<size_t>(group)] >= 0) return;
    std::array<bool, count> used{};
    for (const int other : neighbours[static_cast<size_t>(group)]) {
      const int colour = colour_of_group_[static_cast<size_t>(other)];
      if (colour >= 0) used[static_cast<size_t>(colour)] = true;
    }
    int colour = next++ % count;
    for (int tries = 0; tries < count && used[static_cast<size_t>(colour)]; ++tries) colour = (colour + 1) % count;
    colour_of_group_[static_cast<size_t>(group)] = colour;
  };
  for (const int rank : scene.plan.route.writers) colour_group(group_[static_cast<size_t>(rank)]);
  for (int group = 0; group < groups; ++group) colour_group(group);
}

std::string Colours::of_writer(int rank) const {
  const int turn = turn_[static_cast<size_t>(rank)];
  if (meaning_.empty()) return hex(palette[static_cast<size_t>(turn % count)], 0);
  return hex(palette[static_cast<size_t>(of_rank(rank))], turn % 2 == 0 ? 0 : -0.3);
}

std::string Colours::light(int colour) { return hex(palette[static_cast<size_t>(colour)], 0.62); }

}  // namespace sv_plan
