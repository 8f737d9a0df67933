// Which colour stands for whom: ranks that belong together (in an I/O domain, else on a node) share one, and neighbours
// on the map differ.
#pragma once

#include <string>
#include <vector>

#include "drawing/palette.hpp"
#include "scene.hpp"

namespace sv_plan {

class Colours {
 public:
  explicit Colours(const Scene &scene);

  static constexpr int count = static_cast<int>(sv_tools::palette.size());
  /// Of a block of the map, by its rank: light; an index into light().
  int of_rank(int rank) const { return colour_of_group_[static_cast<size_t>(group_[static_cast<size_t>(rank)])]; }
  /// For the data that this rank writes: strong.
  std::string of_writer(int rank) const;
  static std::string light(int colour);

  /// Of each block: its rank (-1: land), node and I/O domain; blocks x fastest.
  const std::vector<int> &ranks() const { return rank_; }
  const std::vector<int> &nodes() const { return node_; }
  const std::vector<int> &domains() const { return domain_; }
  /// The meaning of a colour: "I/O domain", "node", "rank", or nothing if all have the same.
  const std::string &meaning() const { return meaning_; }

 private:
  void find_blocks(const Scene &scene);
  void choose(const Scene &scene, int groups);

  std::vector<int> rank_, node_, domain_;     // by block
  std::vector<int> group_, colour_of_group_;  // by rank, by group
  std::vector<int> turn_;                     // by rank: its number among its group's writers
  std::string meaning_;
};

}  // namespace sv_plan
