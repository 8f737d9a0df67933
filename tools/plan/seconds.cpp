#include "seconds.hpp"

#include <cstdio>
#include <utility>

#include "base/error.hpp"
#include "base/json.hpp"
#include "chunk_counts.hpp"
#include "config/configuration.hpp"
#include "counts.hpp"
#include "forecast.hpp"
#include "text.hpp"

namespace sv_plan {

namespace {

using sv::json_number;

/// A line of the table; `of` takes a number of seconds from an outcome.
template <class Of>
std::string line(const char *name, const Seconds &seconds, const Of &of) {
  char text[120];
  std::snprintf(text, sizeof text, "  %-12s %11.4g %11.4g to %.4g\n", name, of(seconds.expected), of(seconds.low),
                of(seconds.high));
  return text;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// As a file with these settings would have the field: in chunks, where it is netCDF-4.
void count_as_stored(const Scene &scene, const sv::Striping &striping, Seconds &seconds) {
  const sv::Settings settings = sv::load_settings(sv::ConfigText{}, {}, scene.options.settings);
  require_known(settings);
  if (!is_netcdf4(settings.file)) return;
  if (scene.options.servers > 0)
    throw sv::Error(sv::Status::config, "netCDF-4 by servers is not predicted", "Leave --servers out, or measure it");
  seconds.codec = counted_codec(settings.file.chunks, seconds.profile.codecs, scene.options.compress_ratio);
  const sv::Route chosen = sv::resolve(owners_of_chunks(settings.file, scene.topology.ranks()), *scene.layout,
                                       scene.topology, scene.surroundings);
  const sv::Field &field = scene.plan.field;
  const sv::Index chunk = chunk_of({{field.shape, field.element_bytes, 1, true}}, 0, settings.file,
                                   static_cast<int>(chosen.writers.size()));
  if (chunk.n > 0) {
    const sv::Plan plan = chunk_plan(scene, chunk, chosen);
    seconds.counts = counts_of_chunks(plan, scene.topology, striping, settings.file.chunks.compresses());
    seconds.rounds = plan.rounds;
  }
  seconds.counts.netcdf4_variables = 1;
}

}  // namespace

Seconds seconds_of(const Scene &scene, const Study &study) {
  Seconds seconds;
  seconds.profile = read_machine(scene.options.machine);
  const sv::Striping striping =
      striping_on(seconds.profile.machine, scene.options.stripe_bytes, scene.options.stripe_count);
  seconds.rounds = scene.plan.rounds;
  seconds.counts = counts_of(scene.plan, scene.topology, study.by_rank, striping);
  if (!scene.options.settings.empty()) count_as_stored(scene, striping, seconds);
  seconds.run = {scene.options.steps, scene.options.compute_seconds, scene.options.server_memory_bytes,
                 seconds.counts.most_placed_bytes};
  const auto on = [&](double factor) {
    const sv::Machine machine = faster(compressing(seconds.profile.machine, seconds.codec), factor);
    return Outcome{predict(seconds.counts, machine), predict_served(seconds.counts, machine, seconds.run)};
  };
  seconds.expected = on(1);
  seconds.low = on(seconds.profile.band);
  seconds.high = on(1 / seconds.profile.band);
  return seconds;
}

std::string seconds_text(const Scene &scene, const Seconds &seconds) {
  std::string text = "\npredicted, not measured: seconds of a field on the machine of " + scene.options.machine +
                     "\n  phase            seconds        band\n";
  const std::pair<const char *, double sv::PhaseSeconds::*> phases[]{
      {"open", &sv::PhaseSeconds::open},         {"pack", &sv::PhaseSeconds::pack},
      {"compress", &sv::PhaseSeconds::compress}, {"send", &sv::PhaseSeconds::send},
      {"write", &sv::PhaseSeconds::write},       {"transfer", &sv::PhaseSeconds::transfer},
      {"behind", &sv::PhaseSeconds::behind},     {"close", &sv::PhaseSeconds::close}};
  const bool compresses = !seconds.codec.name.empty();
  for (const auto &[name, phase] : phases)
    if (compresses || (phase != &sv::PhaseSeconds::compress && phase != &sv::PhaseSeconds::behind))
      text += line(name, seconds, [member = phase](const Outcome &outcome) { return outcome.phases.*member; });
  text += line("total", seconds, [](const Outcome &outcome) { return outcome.phases.total(); });
  text += "  transfer: pack, send and write of " + plural(seconds.rounds, "round") +
          (compresses ? ", each written while others are compressed; behind: the last rounds, written at the commit"
                      : ", each written while the next is collected") +
          "; limited by: " + seconds.expected.phases.limit + "\n";
  if (compresses) text += "  codec: " + codec_text(seconds.codec) + "\n";
  if (scene.options.servers == 0) return text;
  text += "with " + plural(scene.options.servers, "server") + ", " + plural(seconds.run.steps, "step") + " of " +
          number(seconds.run.compute_seconds) + " s each, room for " + number(seconds.expected.served.room) +
          " steps\n";
  const std::pair<const char *, double sv::ServedSeconds::*> times[]{{"hand over", &sv::ServedSeconds::hand_over},
                                                                     {"drain", &sv::ServedSeconds::drain},
                                                                     {"waiting", &sv::ServedSeconds::waiting},
                                                                     {"model ends", &sv::ServedSeconds::model},
                                                                     {"all written", &sv::ServedSeconds::total}};
  for (const auto &[name, time] : times)
    text += line(name, seconds, [member = time](const Outcome &outcome) { return outcome.served.*member; });
  return text + "  hand over, drain: of a step; waiting: of all steps, until there is room\n";
}

std::string seconds_json(const Scene &scene, const Seconds &seconds) {
  const sv::PlanCounts &c = seconds.counts;
  const sv::PhaseSeconds &p = seconds.expected.phases;
  const sv::ServedSeconds &s = seconds.expected.served;
  const std::string served = sv::json_object({{"servers", json_number(int64_t{scene.options.servers})},
                                              {"steps", json_number(int64_t{seconds.run.steps})},
                                              {"room_steps", json_number(s.room)},
                                              {"hand_over", json_number(s.hand_over)},
                                              {"drain", json_number(s.drain)},
                                              {"waiting", json_number(s.waiting)},
                                              {"model", json_number(s.model)},
                                              {"total", json_number(s.total)},
                                              {"total_low", json_number(seconds.low.served.total)},
                                              {"total_high", json_number(seconds.high.served.total)}});
  return sv::json_object({{"machine", sv::json_text(scene.options.machine)},
                          {"band", json_number(seconds.profile.band)},
                          {"limit", sv::json_text(p.limit)},
                          {"codec", codec_json(seconds.codec)},
                          {"counts", sv::json_object({{"openers", json_number(int64_t{c.openers})},
                                                      {"most_placed_bytes_of_node", json_number(c.most_placed_bytes)},
                                                      {"most_bytes_between_nodes", json_number(c.most_node_bytes)},
                                                      {"most_messages_of_node", json_number(c.most_node_messages)},
                                                      {"most_bytes_of_writer", json_number(c.most_writer_bytes)},
                                                      {"most_writes_of_writer", json_number(c.most_writes)},
                                                      {"stripe_hand_overs", json_number(c.load.hand_overs)}})},
                          {"seconds", sv::json_object({{"open", json_number(p.open)},
                                                       {"pack", json_number(p.pack)},
                                                       {"compress", json_number(p.compress)},
                                                       {"send", json_number(p.send)},
                                                       {"write", json_number(p.write)},
                                                       {"transfer", json_number(p.transfer)},
                                                       {"behind", json_number(p.behind)},
                                                       {"close", json_number(p.close)},
                                                       {"total", json_number(p.total())},
                                                       {"total_low", json_number(seconds.low.phases.total())},
                                                       {"total_high", json_number(seconds.high.phases.total())}})},
                          {"served", scene.options.servers > 0 ? served : "null"}});
}

}  // namespace sv_plan
