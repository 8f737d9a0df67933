#include "plan/topology.hpp"

#include <algorithm>
#include <unordered_map>

namespace sv {

Topology Topology::from_labels(const std::vector<int> &labels) {
  struct Lists {
    std::vector<int> node_of;
    std::vector<std::vector<int>> ranks_of;
  };
  const auto lists = std::make_shared<Lists>();
  std::unordered_map<int, int> node_of_label;
  lists->node_of.reserve(labels.size());
  for (int rank = 0; rank < static_cast<int>(labels.size()); ++rank) {
    const auto nodes = static_cast<int>(lists->ranks_of.size());
    const int node = node_of_label.try_emplace(labels[rank], nodes).first->second;
    if (node == nodes) lists->ranks_of.emplace_back();
    lists->node_of.push_back(node);
    lists->ranks_of[node].push_back(rank);
  }
  return {lists->node_of, lists->ranks_of, lists};
}

Topology Topology::uniform(int ranks, int per_node) {
  std::vector<int> labels(ranks);
  for (int rank = 0; rank < ranks; ++rank) labels[rank] = rank / std::max(1, per_node);
  return from_labels(labels);
}

int Topology::most_on_a_node(const std::vector<int> &ranks) const {
  std::vector<int> on_node(ranks_of.size(), 0);
  int most = 0;
  for (const int rank : ranks) most = std::max(most, ++on_node[node_of[rank]]);
  return most;
}

int forwarder(const Topology &topology, int node) { return topology.ranks_of[node].front(); }

}  // namespace sv
