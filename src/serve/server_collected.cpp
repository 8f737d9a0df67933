// What servers do together with points that the primaries among them have collected (Pang et al. 2023, Sect. 4.3).
#include <algorithm>

#include "assemble/written_parts.hpp"
#include "file/home.hpp"
#include "plan/gathering.hpp"
#include "rounds/file_trace.hpp"
#include "rounds/own_ranges.hpp"
#include "rounds/rounds.hpp"
#include "serve/collected_points.hpp"
#include "serve/server.hpp"

namespace sv {

namespace {

/// What has been put in order is written by the server's thread, while the next round comes.
class LaterOutlet final : public Outlet {
 public:
  using Write = std::function<void(const Exchange &exchange, int round)>;
  LaterOutlet(Write write, std::function<void()> finish) : write_(std::move(write)), finish_(std::move(finish)) {}
  void write(const Exchange &exchange, int round, const std::shared_ptr<void> &) override { write_(exchange, round); }
  void finish() override { finish_(); }

 private:
  const Write write_;
  const std::function<void()> finish_;
};

}  // namespace

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
  Route route{"ranges", 0, 0, false, {}, {}};
  const auto among_servers = [&](int server) {
    return static_cast<int>(std::find(group.begin(), group.end(), server) - group.begin());
  };
  for (const int writer : gathering.route.writers) route.writers.push_back(among_servers(writer));
  for (const int primary : gathering.route.primaries) route.primaries.push_back(among_servers(primary));
  return scattering_plan(gathering, round, route,
                         {context_->topology(), file.home().places().extents(variable),
                          file.home().places().stripe_bytes(variable), context_->window.budget(1)});
}

void Server::put_collected(ServedFile &served, const Entry &put, Stream &stream, int round) {
  ++carried_;
  File &file = *served.file;
  const Arrival &arrival = *put.arrival;
  const Plan &gathering = arrival.plan();
  const int variable = put.command.field()->variable;
  const int64_t record = put.command.field()->record;
  const trace::Bracket assembling(link_.steps(), trace::Doing::assemble, subject_of(file, variable));
  const std::vector<Arrival::Slice> &slices = arrival.slices(round);
  const auto release = [&] {
    for (const Arrival::Slice &slice : slices) stream.landing->release.done(slice.number);
  };
  Plan plan;
  const auto failed = caught(context_->rank(), [&] { plan = scattering_plan_for(file, gathering, variable, round); });
  if (failed) served.note(*failed);
  if (failed || file.ledger.failed()) return release();
  const bool fills = put.layout->has_holes() && file.settings().fill && !file.ledger.touched(variable, record);
  const std::vector<std::byte> fill = fill_in_file_order(file, variable);
  const std::vector<int> &primaries = gathering.route.primaries;
  const auto own = std::find(primaries.begin(), primaries.end(), link_.rank());
  CollectedPoints source(plan,
                         {gathering, round, own == primaries.end() ? -1 : static_cast<int>(own - primaries.begin()),
                          slices.empty() ? nullptr : slices.front().values});
  const Box whole = Box::whole(gathering.field.shape);
  const int64_t before = gathering.share(0, 0, round).first, element = plan.field.element_bytes;
  const WrittenParts parts(plan, *put.layout, fills);
  const auto write = [&](const Exchange &exchange, int step) {
    for (const int sink : exchange.own_sinks()) {
      const Share share = plan.share(1, sink, step);
      if (share.elements() == 0) continue;
      std::vector<ArrivedRun> runs;
      for (const Segment &part : parts.of(share))
        runs.push_back({slab_of(variable, record, {whole, before + part.first, before + part.last}),
                        {exchange.slice(sink, step) + (part.first - share.first) * element,
                         static_cast<size_t>((part.last - part.first) * element)}});
      writing_.write_now(served, std::move(runs), [] {});
    }
  };
  LaterOutlet outlet(write, [this] { drain(); });
  std::vector<std::unique_ptr<Schedule>> schedule;
  schedule.push_back(std::make_unique<ScatterSchedule>(plan, fills ? fill.data() : nullptr));
  write_rounds({.file = file,
                .variable = variable,
                .doing = "scattering points to the servers that write them",
                .for_whom = "the servers that take its data",
                .stages = std::move(schedule),
                .source = source,
                .outlet = outlet,
                .packed = release});
}

}  // namespace sv
