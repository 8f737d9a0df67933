// Which rank is on which node. Every plan is made for one; the transport learns it from MPI, sv-plan and tests make it
// up.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sv {

/// Nodes are numbered by their lowest rank; `ranks_of` lists each node's ranks in ascending order. Copies share the
/// lists, which `owner` keeps: plans have one.
struct Topology {
  std::span<const int> node_of;                // by rank
  std::span<const std::vector<int>> ranks_of;  // by node
  std::shared_ptr<const void> owner;

  int ranks() const { return static_cast<int>(node_of.size()); }
  int nodes() const { return static_cast<int>(ranks_of.size()); }
  bool same_node(int a, int b) const { return node_of[a] == node_of[b]; }
  /// How many of these ranks are on the node that has most of them.
  int most_on_a_node(const std::vector<int> &ranks) const;
  /// From any node label per rank.
  static Topology from_labels(const std::vector<int> &labels);
  /// `per_node` consecutive ranks on each node (the last may have fewer): for virtual ranks and
  /// SV_TESTING_RANKS_PER_NODE.
  static Topology uniform(int ranks, int per_node);
};

/// The largest number of bytes that all nodes together send to one rank with the messages of a gate
/// (transport/gate_messages.hpp): more is faster in rounds.
constexpr int64_t most_sent_bytes = 256 << 10;

/// The rank that sends and receives for all of `node`. One only: every rank with messages under way must look after
/// them, and where ranks outnumber cores each of those looks takes time from the ranks that pack.
int forwarder(const Topology &topology, int node);

}  // namespace sv
