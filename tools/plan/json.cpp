#include "json.hpp"

#include <algorithm>

#include "base/json.hpp"

namespace sv_plan {

namespace {

using sv::json_array;
using sv::json_number;
using sv::json_object;
using sv::json_text;
using sv::JsonMembers;

constexpr size_t most_entries = 20000;  // of the lists of writers, nodes and ranges

std::string number(int64_t value) { return json_number(value); }
std::string boolean(bool value) { return value ? "true" : "false"; }

/// `value(i)` of the first `most` of `all` things.
template <class Value>
std::string listed(size_t all, size_t most, const Value &value) {
  std::vector<std::string> values;
  for (size_t i = 0; i < std::min(all, most); ++i) values.push_back(value(i));
  return json_array(values);
}

std::string case_json(const Scene &scene) {
  const sv::Field &field = scene.plan.field;
  const Options &options = scene.options;
  return json_object(
      {{"shape", json_array({number(field.shape[0]), number(field.shape[1]), number(field.shape[2])})},
       {"type", json_text(options.type)},
       {"bytes", number(scene.field_bytes())},
       {"offset_bytes", number(field.offset_bytes)},
       {"layout", scene.has_points() ? "null" : json_array({number(scene.mask.px), number(scene.mask.py)})},
       {"ranks", number(scene.layout->ranks())},
       {"land_blocks", number(scene.mask.px * scene.mask.py - scene.mask.ranks())},
       {"owned_bytes", number(scene.field_bytes() / scene.layout->cells() * scene.layout->owned_cells())},
       {"nodes", number(scene.topology.nodes())},
       {"ranks_per_node", number(options.per_node)},
       {"window_bytes", number(options.window_bytes)},
       {"stripe_bytes", number(options.stripe_bytes)},
       {"stripe_count", number(options.stripe_count)},
       {"shared_file_system", boolean(scene.surroundings.shared_file_system)}});
}

std::string route_json(const Scene &scene) {
  const sv::Route &route = scene.plan.route;
  const std::string layout = json_array({number(route.io_nx), number(route.io_ny)});
  return json_object({{"name", json_text(route.name)},
                      {"reason", json_text(route.reason)},
                      {"io_layout", route.io_nx == 0 ? "null" : layout},
                      {"io_domains", number(static_cast<int64_t>(scene.domains.size()))},
                      {"stages", number(static_cast<int64_t>(scene.plan.stages.size()))},
                      {"owners_of_ranges", listed(route.writers.size(), most_entries,
                                                  [&](size_t i) { return number(route.writers[i]); })}});
}

std::string strategy_json(const Scene &scene) {
  const sv::StrategyChoice choice = strategy_of(scene);
  return json_object({{"name", json_text(std::string(sv::name_of(choice.strategy)))},
                      {"reason", json_text(std::string(choice.reason))}});
}

std::string totals_json(const Scene &scene, const Study &study) {
  const bool counts_single = !scene.has_points();
  return json_object({{"placed_bytes", number(study.total.placed_bytes)},
                      {"messages_before_combining", counts_single ? number(study.messages_before) : "null"},
                      {"messages", number(study.total.messages_sent)},
                      {"sent_bytes", number(study.total.sent_bytes)},
                      {"copies", counts_single ? number(study.copies) : "null"},
                      {"writers", number(study.writers())},
                      {"written_bytes", number(study.total.written_bytes)},
                      {"writes", number(study.total.writes)}});
}

std::string receiver_json(const Study &study, const Receiver &receiver) {
  const sv::Traffic &traffic = study.by_rank[static_cast<size_t>(receiver.rank)];
  return json_object({{"stage", number(receiver.stage)},
                      {"rank", number(receiver.rank)},
                      {"bytes", number(receiver.bytes)},
                      {"own_node_bytes", number(receiver.own_node_bytes)},
                      {"messages", number(receiver.messages)},
                      {"written_bytes", number(traffic.written_bytes)},
                      {"writes", number(traffic.writes)}});
}

std::string node_json(const Scene &scene, const Study &study, size_t node) {
  const NodeLoad &load = study.nodes[node];
  return json_object({{"ranks", number(static_cast<int64_t>(scene.topology.ranks_of[node].size()))},
                      {"sent_bytes", number(load.sent_bytes)},
                      {"messages", number(load.messages)},
                      {"received_bytes", number(load.received_bytes)},
                      {"peak_window_bytes", scene.serves() ? "null" : number(load.peak_bytes)}});
}

std::string range_json(const Scene &scene, const sv::Sink &sink) {
  const sv::Field &field = scene.plan.field;
  return json_object({{"rank", number(sink.rank)},
                      {"first_byte", number(field.offset_bytes + sink.territory.first * field.element_bytes)},
                      {"end_byte", number(field.offset_bytes + sink.territory.last * field.element_bytes)}});
}

std::string flow_json(const Scene &scene, const Flow &flow) {
  return json_object({{"stage", number(flow.stage)},
                      {"from", number(flow.from)},
                      {"to", number(flow.to)},
                      {"bytes", number(flow.elements * scene.plan.field.element_bytes)}});
}

std::string stripes_json(const Scene &scene, const Study &study) {
  if (scene.own_files()) return "null";
  return json_object({{"count", number(study.stripes.all)},
                      {"examined", number(study.stripes.examined)},
                      {"with_several_writers", number(study.stripes.shared)},
                      {"most_writers", number(study.stripes.most)},
                      {"mean_writers", json_number(study.stripes.mean)}});
}

std::string memory_json(const Study &study) {
  return json_object({{"pool_bytes", number(study.pool_bytes)},
                      {"peak_bytes", number(study.peak_bytes())},
                      {"peak_node", number(study.peak_node())}});
}

}  // namespace

std::string to_json(const Scene &scene, const Study &study, const FlowList &flows, const std::string &predicted) {
  const sv::Sinks &sinks = scene.plan.stages.back().sinks;
  const size_t ranges = scene.has_ranges() ? sinks.size() : 0;
  const auto left_out = [](size_t all) { return number(static_cast<int64_t>(all - std::min(all, most_entries))); };
  const auto row = [&](size_t r) {
    const std::vector<int64_t> &bytes = study.matrix[r];
    return listed(bytes.size(), bytes.size(), [&](size_t node) { return number(bytes[node]); });
  };
  JsonMembers members{
      {"case", case_json(scene)},
      {"route", route_json(scene)},
      {"strategy", strategy_json(scene)},
      {"rounds", json_object({{"count", number(scene.plan.rounds)},
                              {"bytes", number(scene.plan.round_elements * scene.plan.field.element_bytes)}})},
      {"totals", totals_json(scene, study)},
      {"stripes", stripes_json(scene, study)},
      {"memory", scene.serves() ? "null" : memory_json(study)},
      {"receivers", listed(study.receivers.size(), most_entries,
                           [&](size_t i) { return receiver_json(study, study.receivers[i]); })},
      {"receivers_left_out", left_out(study.receivers.size())},
      {"nodes", listed(study.nodes.size(), most_entries, [&](size_t node) { return node_json(scene, study, node); })},
      {"nodes_left_out", left_out(study.nodes.size())},
      {"ranges", listed(ranges, most_entries, [&](size_t i) { return range_json(scene, sinks[i]); })},
      {"ranges_left_out", left_out(ranges)},
      {"bytes_by_receiver_and_node", study.matrix.empty() ? "null" : listed(study.matrix.size(), most_entries, row)}};
  if (scene.serves())
    members.emplace_back("servers", json_object({{"ranks", listed(scene.servers.size(), most_entries,
                                                                  [&](size_t i) { return number(scene.servers[i]); })},
                                                 {"ring_bytes", number(scene.ring_bytes)},
                                                 {"most_field_bytes", number(study.most_received())}}));
  if (scene.has_points())
    members.emplace_back("points", json_object({{"kind", json_text(scene.options.points)},
                                                {"runs", number(study.points.runs)},
                                                {"most_runs", number(study.points.most_runs)},
                                                {"rank_bytes", number(study.points.rank_bytes)},
                                                {"node_bytes", number(study.points.node_bytes)}}));
  if (scene.options.flows) {
    const auto flow = [&](size_t i) { return flow_json(scene, flows.flows[i]); };
    members.emplace_back("flows", listed(flows.flows.size(), flows.flows.size(), flow));
    members.emplace_back("flows_left_out", number(flows.all - static_cast<int64_t>(flows.flows.size())));
  }
  if (!predicted.empty()) members.emplace_back("prediction", predicted);
  return json_object(members) + "\n";
}

}  // namespace sv_plan
