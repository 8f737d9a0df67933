// What servers do together with points that the primaries among them have collected (Pang et al. 2023, Sect. 4.3).
#include <algorithm>

#include "assemble/segments.hpp"
#include "engine/collected_points.hpp"
#include "engine/file_trace.hpp"
#include "engine/owners.hpp"
#include "engine/server.hpp"
#include "plan/gathering.hpp"

namespace sv {

/// Until all of them have the next round: models may take any time for it, which the exchange would not grant. False
/// when the models have ended.
bool Server::await_primaries(const Plan &gathering) {
  const std::vector<int> &primaries = gathering.route.primaries;
  if (std::binary_search(primaries.begin(), primaries.end(), link_.rank())) tell_others(collected_tag, Letter(1));
  return std::all_of(primaries.begin(), primaries.end(), [&](int primary) {
    return primary == link_.rank() ||
           await_letters([&] { return take_letter(link_.comm(), primary, collected_tag).has_value(); },
                         "waits until primaries have collected");
  });
}

/// The same on all servers of the group.
Plan Server::scattering_plan_for(const File &file, const Plan &gathering, int variable, int round) {
  const std::vector<int> &group = link_.crew().groups[static_cast<size_t>(group_)];
  Route route{"servers", 0, 0, false, {}, {}};
  const auto among_servers = [&](int server) {
    return static_cast<int>(std::find(group.begin(), group.end(), server) - group.begin());
  };
  for (const int writer : gathering.route.writers) route.writers.push_back(among_servers(writer));
  for (const int primary : gathering.route.primaries) route.primaries.push_back(among_servers(primary));
  return scattering_plan(
      gathering, round, route,
      {context_->topology(), *file.extents(variable), file.stripe_bytes(variable), context_->window().budget(1)});
}

void Server::put_collected(ServedFile &served, const Entry &put, Stream &stream, int round) {
  ++carried_;
  File &file = *served.file;
  const Arrival &arrival = *put.arrival;
  const Plan &gathering = arrival.plan();
  const auto variable = static_cast<int>(put.command.numbers[0]);
  const int64_t record = put.command.numbers[1];
  const trace::Bracket assembling(link_.steps(), trace::Doing::assemble, file.subject(variable));
  const std::vector<Arrival::Slice> &slices = arrival.slices(round);
  const auto release = [&] {
    for (const Arrival::Slice &slice : slices) stream.landing->release.done(slice.number);
  };
  Plan plan;
  const auto failed = caught(context_->rank(), [&] { plan = scattering_plan_for(file, gathering, variable, round); });
  if (failed) served.note(*failed);
  if (failed || file.failed()) return release();
  const bool holes = put.layout->has_holes(), fills = holes && file.settings().fill && !file.touched(variable, record);
  const std::vector<std::byte> fill = fills ? fill_in_file_order(file, variable) : std::vector<std::byte>{};
  const std::vector<int> &primaries = gathering.route.primaries;
  const auto own = std::find(primaries.begin(), primaries.end(), link_.rank());
  CollectedPoints source(plan,
                         {gathering, round, own == primaries.end() ? -1 : static_cast<int>(own - primaries.begin()),
                          slices.empty() ? nullptr : slices.front().values});
  const Box whole = Box::whole(gathering.field.shape);
  const int64_t before = gathering.share(0, 0, round).first, element = plan.field.element_bytes;
  const auto write = [&](const Exchange &exchange, int step) {
    for (const int sink : exchange.own_sinks()) {
      const Share share = plan.share(1, sink, step);
      if (share.elements() == 0) continue;
      const std::vector<Segment> segments =
          holes && !fills ? owned_segments(plan, share) : std::vector<Segment>{{share.first, share.last}};
      std::vector<ArrivedRun> runs;
      for (const Segment &part : segments)
        runs.push_back({slab_of(variable, record, {whole, before + part.first, before + part.last}),
                        {exchange.slice(sink, step) + (part.first - share.first) * element,
                         static_cast<size_t>((part.last - part.first) * element)}});
      writing_.write_now(served, std::move(runs), [] {});
    }
  };
  Transfers transfers(context_->node(), "scattering points to the servers that write them");
  SentBytes sent(file, &context_->trace_ranks());
  Source &counted =
      sent.counting(source, [&plan](int sink) { return plan.stages.back().sinks[static_cast<size_t>(sink)].rank; });
  scatter({plan, fills ? fill.data() : nullptr, counted, write, [this] { drain(); }, release}, context_->window(),
          transfers);
  sent.tell(variable);
  context_->count(transfers);
}

}  // namespace sv
