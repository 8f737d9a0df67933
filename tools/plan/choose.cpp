#include "choose.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/json.hpp"
#include "counts.hpp"
#include "machine.hpp"
#include "text.hpp"

namespace sv_plan {

namespace {

using Kind = sv::Writers::Kind;

constexpr int64_t most_slices = 300;  // of I/O domains for writers: more of them take minutes, and win nothing

sv::RouteRequest request_of(const std::string &name, int nx, int ny, sv::Writers writers) {
  return {name, nx, ny, writers};
}

std::string text_of(const sv::RouteRequest &request) {
  std::string text = "route " + request.name;
  if (request.io_nx > 0) text += ", io_layout " + std::to_string(request.io_nx) + "," + std::to_string(request.io_ny);
  if (request.writers.kind == Kind::self) text += ", writers self";
  if (request.writers.kind == Kind::count) text += ", writers " + std::to_string(request.writers.n);
  if (request.writers.kind == Kind::per_node) text += ", writers " + std::to_string(request.writers.n) + " per node";
  return text;
}

/// 1, `base`, and so on, and `last`.
std::set<int> powers(int base, int last) {
  std::set<int> numbers{last};
  for (int n = 1; n < last; n *= base) numbers.insert(n);
  return numbers;
}

std::vector<sv::RouteRequest> requests(const Scene &scene) {
  const int nodes = scene.topology.nodes(), ranks = scene.topology.ranks();
  std::vector<sv::RouteRequest> all{request_of("serial", 0, 0, {}), request_of("shared", 0, 0, {})};
  for (const int n : powers(2, nodes)) all.push_back(request_of("ranges", 0, 0, {Kind::count, n}));
  for (const int n : {2, 4})
    if (n * nodes <= ranks) all.push_back(request_of("ranges", 0, 0, {Kind::per_node, n}));
  const auto writers = static_cast<int>(scene.plan.route.writers.size());
  for (const int nx : powers(4, scene.mask.px))
    for (const int ny : powers(4, scene.mask.py)) {
      all.push_back(request_of("domains", nx, ny, {Kind::self, 0}));
      if (writers > 0 && int64_t{nx} * ny * writers <= most_slices)
        all.push_back(request_of("domains", nx, ny, {Kind::count, writers}));
    }
  return all;
}

/// A scene, and the seconds of one rank's plan of it.
struct Timed {
  Scene scene;
  double seconds;
};

Timed timed_scene(Options options, const sv::RouteRequest &request) {
  options.route = request;
  const auto begin = std::chrono::steady_clock::now();
  Scene scene = make_scene(options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {std::move(scene), took.count()};
}

Candidate candidate_of(const Timed &timed, const sv::RouteRequest &request, const MachineProfile &profile) {
  const Scene &scene = timed.scene;
  Candidate candidate;
  candidate.setup_seconds = timed.seconds;
  candidate.request = request;
  candidate.text = text_of(request);
  const std::vector<sv::Traffic> by_rank = sv::traffic_of_all(scene.plan, scene.topology);
  const sv::PlanCounts counts =
      counts_of(scene.plan, scene.topology, by_rank,
                striping_on(profile.machine, scene.options.stripe_bytes, scene.options.stripe_count));
  for (const sv::Traffic &traffic : by_rank) candidate.messages += traffic.messages_sent;
  candidate.writers = counts.openers;
  candidate.rounds = counts.rounds;
  candidate.most_messages = counts.most_node_messages;
  candidate.most_writer_bytes = counts.most_writer_bytes;
  candidate.held_bytes = std::min(scene.plan.rounds, 2) * scene.plan.round_elements * scene.plan.field.element_bytes;
  candidate.hand_overs = counts.load.hand_overs;
  const auto on = [&](double factor) { return Outcome{predict(counts, faster(profile.machine, factor)), {}}; };
  candidate.expected = on(1);
  candidate.low = on(profile.band);
  candidate.high = on(1 / profile.band);
  return candidate;
}

double seconds_of(const Candidate &candidate) { return candidate.expected.phases.total(); }

std::string row(const std::string &name, const Candidate &c) {
  char text[240];
  std::snprintf(text, sizeof text, "%-44s %9.4g %8.3g to %-8.3g %7d %6d %9lld %7lld %9s  %s\n", name.c_str(),
                seconds_of(c), c.low.phases.total(), c.high.phases.total(), c.writers, c.rounds,
                static_cast<long long>(c.messages), static_cast<long long>(c.most_messages),
                bytes_text(c.most_writer_bytes).c_str(), c.expected.phases.limit.c_str());
  return text;
}

std::string json_of(const Candidate &c) {
  using sv::json_number;
  return sv::json_object({{"configuration", sv::json_text(c.text)},
                          {"seconds", json_number(seconds_of(c))},
                          {"low", json_number(c.low.phases.total())},
                          {"high", json_number(c.high.phases.total())},
                          {"limited_by", sv::json_text(c.expected.phases.limit)},
                          {"writers", json_number(int64_t{c.writers})},
                          {"rounds", json_number(int64_t{c.rounds})},
                          {"messages", json_number(c.messages)},
                          {"most_messages_of_node", json_number(c.most_messages)},
                          {"most_bytes_of_writer", json_number(c.most_writer_bytes)},
                          {"bytes_held_by_writer", json_number(c.held_bytes)},
                          {"stripe_hand_overs", json_number(c.hand_overs)},
                          {"setup_seconds", json_number(c.setup_seconds)}});
}

std::string json_of(const OfStripe &data) {
  return sv::json_object({{"mean", sv::json_number(data.mean)}, {"most", sv::json_number(int64_t{data.most})}});
}

}  // namespace

double Choice::regret() const { return seconds_of(automatic) / seconds_of(all.front()) - 1; }

Choice choose(const Options &options) {
  const MachineProfile profile = read_machine(options.machine);
  Choice choice;
  const Timed automatic = timed_scene(options, {});
  choice.automatic = candidate_of(automatic, {}, profile);
  choice.automatic.text = "route auto";
  choice.stripes = stripe_data_of(automatic.scene);
  choice.all.push_back(choice.automatic);
  for (const sv::RouteRequest &request : requests(automatic.scene)) {
    try {
      choice.all.push_back(candidate_of(timed_scene(options, request), request, profile));
    } catch (const sv::Error &error) {  // this layout has no such domains, or no room for its slices
      if (error.status() != sv::Status::invalid && error.status() != sv::Status::limit) throw;
    }
  }
  std::stable_sort(choice.all.begin(), choice.all.end(),
                   [](const Candidate &a, const Candidate &b) { return seconds_of(a) < seconds_of(b); });
  return choice;
}

std::string choice_text(const Options &options, const Choice &choice) {
  std::string text = "predicted, not measured: one field, written in " + std::to_string(choice.all.size()) +
                     " ways on the machine of " + options.machine + "\n";
  char head[240];
  std::snprintf(head, sizeof head, "%-44s %9s %20s %7s %6s %9s %7s %9s  %s\n", "", "seconds", "band", "writers",
                "rounds", "messages", "of node", "of writer", "limited by");
  text += head + row("chosen by auto", choice.automatic);
  int shown = 0;
  for (const Candidate &candidate : choice.all) {
    if (++shown > options.most) break;
    text += row(candidate.text, candidate);
  }
  char end[240];
  std::snprintf(
      end, sizeof end,
      "auto takes %.1f %% longer than the best of those tried; %.1f nodes (%d at most), %.1f ranks (%d) have data in "
      "a stripe; a writer holds %s at a time; its plan takes %.3f s\n",
      100 * choice.regret(), choice.stripes.nodes.mean, choice.stripes.nodes.most, choice.stripes.ranks.mean,
      choice.stripes.ranks.most, bytes_text(choice.automatic.held_bytes).c_str(), choice.automatic.setup_seconds);
  return text + end;
}

std::string choice_json(const Options &options, const Choice &choice) {
  std::vector<std::string> all;
  for (const Candidate &candidate : choice.all) all.push_back(json_of(candidate));
  return sv::json_object({{"machine", sv::json_text(options.machine)},
                          {"auto", json_of(choice.automatic)},
                          {"regret", sv::json_number(choice.regret())},
                          {"stripes", sv::json_object({{"count", sv::json_number(choice.stripes.stripes)},
                                                       {"nodes_with_data", json_of(choice.stripes.nodes)},
                                                       {"ranks_with_data", json_of(choice.stripes.ranks)}})},
                          {"candidates", sv::json_array(all)}}) +
         "\n";
}

}  // namespace sv_plan
