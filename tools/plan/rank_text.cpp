// One rank's part of the plan.
#include "prediction/strided_runs.hpp"
#include "text.hpp"

namespace sv_plan {

namespace {

std::string runs_text(const sv::StridedRun &run) {
  std::string text = "      " + plural(run.count, "run") + " of " + plural(run.length, "cell");
  if (run.count > 1) text += ", every " + number_text(run.stride);
  return text + ", from cell " + number_text(run.position) + " of its share\n";
}

/// What one patch has for one sink in one round; empty where that is nothing.
std::string contribution(const Scene &scene, int stage, const sv::Patch &patch, const std::pair<int, int> &sink_round) {
  const auto [sink, round] = sink_round;
  const std::vector<sv::StridedRun> runs = sv::strided_runs(scene.plan, stage, patch.box, sink, round);
  if (runs.empty()) return {};
  const int to = scene.plan.stages[static_cast<size_t>(stage)].sinks[static_cast<size_t>(sink)].rank;
  const sv::Share share = scene.plan.share(stage, sink, round);
  const int64_t bytes = scene.plan.elements(stage, patch.box, sink, round) * scene.plan.field.element_bytes;
  std::string text = "    round " + std::to_string(round) + ", to rank " + std::to_string(to) + ": " +
                     bytes_text(bytes) + ", of its share of cells " + number_text(share.first) + " to " +
                     number_text(share.last - 1) + " of " + sv::text_of(share.box) + "\n";
  for (const sv::StridedRun &run : runs) text += runs_text(run);
  return text;
}

/// At most `most` contributions, in the order of rounds.
std::string stage_text(const Scene &scene, int stage, int64_t &shown, int64_t &all) {
  const sv::Stage &each = scene.plan.stages[static_cast<size_t>(stage)];
  std::string text;
  for (const sv::Patch &patch : each.sources->patches_of_rank(scene.options.rank)) {
    const bool domain = stage > 0;
    text += std::string(domain ? "  collected domain " : "  block ") + sv::text_of(patch.box) + "\n";
    const sv::Box part = scene.plan.extend(patch.box);
    for (int round = 0; round < scene.plan.rounds; ++round) {
      for (int sink = 0; sink < static_cast<int>(each.sinks.size()); ++sink) {
        if (!meet(part, each.sinks[static_cast<size_t>(sink)].territory.box)) continue;
        if (scene.plan.elements(stage, patch.box, sink, round) == 0) continue;
        if (all++ >= scene.options.most) continue;
        text += contribution(scene, stage, patch, {sink, round});
        ++shown;
      }
    }
  }
  return text;
}

}  // namespace

std::string rank_text(const Scene &scene, const Study &study) {
  const int rank = scene.options.rank;
  const sv::Traffic &traffic = study.by_rank[static_cast<size_t>(rank)];
  const int node = scene.topology.node_of[static_cast<size_t>(rank)];
  std::string text = "\nrank " + std::to_string(rank) + ", on node " + std::to_string(node) + ": packs " +
                     bytes_text(traffic.placed_bytes);
  if (sv::forwarder(scene.topology, node) == rank && scene.topology.nodes() > 1)
    text += "; for its node it sends " + plural(traffic.messages_sent, "message") + " with " +
            bytes_text(traffic.sent_bytes);
  if (traffic.messages_received > 0)
    text +=
        "; receives " + plural(traffic.messages_received, "message") + " with " + bytes_text(traffic.received_bytes);
  if (traffic.writes > 0)
    text += "; writes " + bytes_text(traffic.written_bytes) + " in " + plural(traffic.writes, "write");
  text += "\n";
  int64_t shown = 0, all = 0;
  for (int stage = 0; stage < static_cast<int>(scene.plan.stages.size()); ++stage)
    text += stage_text(scene, stage, shown, all);
  if (all > shown)
    text += "  ... and " + plural(all - shown, "contribution") + " more, left out; --most " + std::to_string(all) +
            " shows them\n";
  return text;
}

}  // namespace sv_plan
