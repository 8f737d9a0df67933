#include "counts.hpp"

#include <algorithm>

namespace sv_plan {

namespace {

bool own_files(const sv::Plan &plan) { return plan.route.name == "per_pe" || plan.route.name == "per_domain"; }

sv::WriteLoad even_load(const sv::PlanCounts &counts, int64_t writes, int targets) {
  sv::WriteLoad load;
  const sv::TargetLoad each{static_cast<double>(writes) / targets, static_cast<double>(counts.bytes) / targets, 0};
  load.targets.assign(static_cast<size_t>(targets), each);
  load.most_serial_bytes = static_cast<double>(counts.most_writer_bytes);
  return load;
}

}  // namespace

sv::PlanCounts counts_of(const sv::Plan &plan, const sv::Topology &topology, const std::vector<sv::Traffic> &by_rank,
                         const sv::Striping &striping) {
  sv::PlanCounts counts;
  counts.ranks = topology.ranks();
  counts.rounds = plan.rounds;
  counts.stages = static_cast<int>(plan.stages.size());
  counts.openers = 0;
  int64_t writes = 0;
  for (const std::vector<int> &ranks : topology.ranks_of) {
    sv::Traffic node;
    for (const int rank : ranks) {
      const sv::Traffic &one = by_rank[static_cast<size_t>(rank)];
      node.placed_bytes += one.placed_bytes;
      node.writes += one.writes;
      node.sent_bytes += one.sent_bytes;
      node.received_bytes += one.received_bytes;
      node.messages_sent += one.messages_sent;
      node.messages_received += one.messages_received;
      counts.bytes += one.written_bytes;
      writes += one.writes;
      counts.openers += one.writes > 0;
      if (one.writes > 0) counts.most_writer_placed_bytes = std::max(counts.most_writer_placed_bytes, one.placed_bytes);
      counts.most_writer_bytes = std::max(counts.most_writer_bytes, one.written_bytes);
      counts.most_writes = std::max(counts.most_writes, one.writes);
    }
    counts.most_ranks_on_node = std::max(counts.most_ranks_on_node, static_cast<int>(ranks.size()));
    counts.most_node_writes = std::max(counts.most_node_writes, node.writes);
    counts.most_placed_bytes = std::max(counts.most_placed_bytes, node.placed_bytes);
    // Links carry both ways at a time.
    counts.most_node_bytes = std::max({counts.most_node_bytes, node.sent_bytes, node.received_bytes});
    counts.most_node_messages = std::max({counts.most_node_messages, node.messages_sent, node.messages_received});
  }
  counts.load = own_files(plan) ? even_load(counts, writes, striping.targets) : sv::write_load_of(plan, striping);
  return counts;
}

sv::Striping striping_on(const sv::Machine &machine, int64_t stripe_bytes, int stripes) {
  if (machine.targets == 0) return {stripe_bytes, 1};
  return {static_cast<int64_t>(machine.stripe_bytes),
          stripes > 0 ? std::min(stripes, machine.targets) : machine.targets};
}

}  // namespace sv_plan
