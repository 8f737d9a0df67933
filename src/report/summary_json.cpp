#include "base/json.hpp"
#include "report/metrics.hpp"

namespace sv {

namespace {

std::string json_of(const Spread &spread) {
  return json_object({{"max", json_number(spread.max)},
                      {"mean", json_number(spread.mean)},
                      {"max_rank", json_number(int64_t{spread.max_rank})}});
}

std::string json_of(const FileReport &file) {
  const std::string layout = std::to_string(file.io_nx) + "," + std::to_string(file.io_ny);
  std::vector<std::string> remarks;
  for (const std::string &remark : file.remarks) remarks.push_back(json_text(remark));
  std::vector<std::string> range_errors;
  for (const RangeErrorReport &each : file.range_errors)
    range_errors.push_back(json_object({{"variable", json_text(each.variable)},
                                        {"values", json_number(each.values)},
                                        {"first", json_text(each.first)},
                                        {"first_rank", json_number(int64_t{each.first_rank})}}));
  return json_object({{"path", json_text(file.path)},
                      {"format", json_text(file.format)},
                      {"store", json_text(file.store)},
                      {"kind", json_text(file.kind)},
                      {"route", json_text(file.route)},
                      {"reason", json_text(file.reason)},
                      {"io_layout", file.io_nx == 0 ? "null" : json_text(layout)},
                      {"writers", json_number(int64_t{file.writers})},
                      {"bytes", json_number(file.bytes)},
                      {"records", json_number(file.records)},
                      {"redefinitions", json_number(int64_t{file.redefinitions})},
                      {"moved_bytes", json_number(file.moved_bytes)},
                      {"remarks", json_array(remarks)},
                      {"out_of_range", json_array(range_errors)},
                      {"outcome", json_text(file.outcome)}});
}

std::string json_of(const OtherFiles &others) {
  if (others.files == 0) return "null";
  return json_object({{"files", json_number(others.files)},
                      {"incomplete", json_number(others.incomplete)},
                      {"bytes", json_number(others.bytes)},
                      {"records", json_number(others.records)}});
}

/// Of all phases, or of all steps of writing.
template <class Part>
JsonMembers spreads_json(int parts, const std::vector<Metrics> &per_rank) {
  JsonMembers members;
  for (int part = 0; part < parts; ++part) {
    const auto which = static_cast<Part>(part);
    members.emplace_back(name_of(which), json_of(spread_of(which, per_rank)));
  }
  return members;
}

std::string phases_json(const std::vector<Metrics> &per_rank) {
  JsonMembers members = spreads_json<Phase>(phases, per_rank);
  members.emplace_back("total", json_of(spread_of_total(per_rank)));
  return json_object(members);
}

std::string servers_json(const Summary &summary) {
  if (summary.servers.servers == 0) return "null";
  const OverlapTimes times = overlap_of(summary);
  const SpeedUp gain = speed_up(times);
  const double waited = most_of(&Metrics::waited_seconds, summary.per_rank);
  return json_object(
      {{"servers", json_number(int64_t{times.servers})},
       {"forwarding", json_text(summary.servers.forwarding)},
       {"seconds", json_object({{"compute", json_number(times.compute)},
                                {"send", json_number(times.send)},
                                {"waited", json_number(waited)},
                                {"receive", json_number(times.receive)},
                                {"write", json_number(times.write)},
                                {"wall", json_number(times.wall)}})},
       {"most_bytes_held", json_number(most_of(&Metrics::served_memory_bytes, summary.per_rank))},
       {"speed_up", summary.mode ? "null"  // not all was written so
                                 : json_object({{"predicted", json_number(gain.predicted)},
                                                {"achieved", json_number(gain.achieved)},
                                                {"bound", json_number(gain.bound)},
                                                {"servers_enough", json_number(int64_t{gain.enough})}})}});
}

std::string behind_json(const Summary &summary) {
  if (summary.behind == 0) return "null";
  const auto most = [&summary](double Metrics::*value) { return json_number(most_of(value, summary.per_rank)); };
  return json_object({{"threads", json_number(int64_t{summary.behind})},
                      {"seconds", json_object({{"write", most(&Metrics::behind_seconds)},
                                               {"processor", most(&Metrics::behind_processor_seconds)},
                                               {"waited", most(&Metrics::behind_waited_seconds)}})}});
}

std::string mode_json(const Summary &summary) {
  if (!summary.mode) return "null";
  return json_object({{"way", json_text(summary.mode->mode)},
                      {"why", json_text(summary.mode->why)},
                      {"changes", json_number(int64_t{summary.mode->changes})}});
}

/// The strategies that calls took, each with the number of calls and the reason.
std::string strategies_json(const std::array<int64_t, strategies> &calls, std::string_view (*reason)(Strategy)) {
  std::vector<std::pair<std::string, std::string>> members;
  for (size_t s = 0; s < strategies; ++s) {
    const auto strategy = static_cast<Strategy>(s);
    if (calls[s] > 0)
      members.emplace_back(name_of(strategy), json_object({{"calls", json_number(calls[s])},
                                                           {"reason", json_text(std::string(reason(strategy)))}}));
  }
  return json_object(members);
}

}  // namespace

std::string to_json(const Summary &summary) {
  const auto sum = [&summary](int64_t Metrics::*count) { return json_number(sum_of(count, summary.per_rank)); };
  const auto most = [&summary](int64_t Metrics::*count) { return json_number(most_of(count, summary.per_rank)); };
  const StrategyCounts chosen = most_strategies(summary.per_rank);
  std::vector<std::string> files;
  for (const FileReport &file : summary.files) files.push_back(json_of(file));
  return json_object({{"sverdrup", json_text(summary.version)},
                      {"mpi", json_text(summary.mpi)},
                      {"host", json_text(summary.host)},
                      {"ranks", json_number(int64_t{summary.ranks})},
                      {"nodes", json_number(int64_t{summary.nodes})},
                      {"transport", json_text(summary.transport)},
                      {"transport_reason", json_text(summary.transport_reason)},
                      {"window_bytes_per_node", json_number(summary.window_bytes_per_node)},
                      {"error", summary.error.empty() ? "null" : json_text(summary.error)},
                      {"files", json_array(files)},
                      {"other_files", json_of(summary.others)},
                      {"phases", phases_json(summary.per_rank)},
                      {"writing", json_object(spreads_json<Step>(writing_steps, summary.per_rank))},
                      {"bytes", json_object({{"written", sum(&Metrics::written_bytes)},
                                             {"direct", sum(&Metrics::direct_bytes)},
                                             {"read", sum(&Metrics::read_bytes)},
                                             {"placed", sum(&Metrics::placed_bytes)},
                                             {"sent", sum(&Metrics::message_bytes)},
                                             {"moved", sum(&Metrics::moved_bytes)}})},
                      {"writes", sum(&Metrics::writes)},
                      {"reads", sum(&Metrics::reads)},
                      {"messages", sum(&Metrics::messages)},
                      {"combined", json_object({{"requests", sum(&Metrics::requests)},
                                                {"calls", most(&Metrics::combined_calls)},
                                                {"most_buffered_bytes", most(&Metrics::buffered_bytes)}})},
                      {"strategies", json_object({{"write", strategies_json(chosen.writing, reason_of_writing)},
                                                  {"read", strategies_json(chosen.reading, reason_of_reading)}})},
                      {"servers", servers_json(summary)},
                      {"behind", behind_json(summary)},
                      {"auto", mode_json(summary)},
                      {"out_of_range", sum(&Metrics::out_of_range)},
                      {"settings", summary.settings_json.empty() ? "{}" : summary.settings_json}});
}

}  // namespace sv
