#include "plan/topology.hpp"

#include <algorithm>
#include <unordered_map>

namespace sv {

Topology Topology::from_labels(const std::vector<int> &labels) {
  Topology topology;
  std::unordered_map<int, int> node_of_label;
  for (int rank = 0; rank < static_cast<int>(labels.size()); ++rank) {
    const int node = node_of_label.try_emplace(labels[rank], topology.nodes()).first->second;
    if (node == topology.nodes()) topology.ranks_of.emplace_back();
    topology.node_of.push_back(node);
    topology.ranks_of[node].push_back(rank);
  }
  return topology;
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
