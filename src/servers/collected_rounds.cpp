// The rounds of points that primaries among the servers have collected.
#include <algorithm>

#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "plan/gathering.hpp"
#include "servers/collected_points.hpp"
#include "servers/put_rounds.hpp"
#include "transfer/own_ranges.hpp"
#include "transfer/rounds.hpp"

namespace sv {

/// The server's thread writes ordered points, while the next round comes.
class PutRounds::DeferredSink final : public RoundSink {
 public:
  /// `scattering`: of the elements of the slab from `before` on.
  DeferredSink(PutRounds &put, const Plan &scattering, int64_t before)
      : put_(put), plan_(scattering), before_(before), parts_(scattering, put.layout_, put.fills()) {}

  void write(const Exchange &exchange, int step, const std::shared_ptr<void> &) override {
    for (const int sink : exchange.own_sinks()) {
      const Share share = plan_.share(1, sink, step);
      if (share.elements() == 0) continue;
      std::vector<ArrivedRun> runs;
      add_runs(runs, put_.runs_of(parts_, share), exchange.slice(sink, step));
      for (ArrivedRun &run : runs) {
        run.slab.box = Box::whole(put_.plan_.field.shape);
        run.slab.first += before_;
        run.slab.last += before_;
      }
      put_.server_context_.writing.write_now(put_.served_, std::move(runs), [] {});
    }
  }
  void finish() override { put_.server_context_.drain(); }

 private:
  PutRounds &put_;
  const Plan &plan_;
  const int64_t before_;
  const WrittenParts parts_;
};

bool PutRounds::await_primaries() {
  const std::vector<int> &primaries = plan_.route.primaries;
  const int me = server_context_.link.rank();
  if (std::binary_search(primaries.begin(), primaries.end(), me))
    server_context_.announce(collected_tag, EncodedMessage(1));
  return std::all_of(primaries.begin(), primaries.end(), [&](int primary) {
    const auto has_reported = [&] {
      return take_message(server_context_.link.comm(), primary, collected_tag).has_value();
    };
    return primary == me || server_context_.await_messages(has_reported, "waits until primaries have collected");
  });
}

/// The same on all servers of the group.
Plan PutRounds::scattering_plan_for(int round) const {
  Context &context = server_context_.context;
  const Places &places = file_.home().places();
  Route route{"ranges", 0, 0, false, {}, {}};
  const auto among_servers = [&group = server_context_.group](int server) {
    return static_cast<int>(std::find(group.begin(), group.end(), server) - group.begin());
  };
  for (const int writer : plan_.route.writers) route.writers.push_back(among_servers(writer));
  for (const int primary : plan_.route.primaries) route.primaries.push_back(among_servers(primary));
  return scattering_plan(plan_, round, route,
                         {context.topology(), places.extents(field_.variable), places.stripe_bytes(field_.variable),
                          context.window.budget(1)});
}

void PutRounds::write_collected(int round) {
  const trace::Bracket assembling(server_context_.link.steps(), trace::Doing::assemble,
                                  subject_of(file_, field_.variable));
  Plan scattering;
  const auto failed = caught(server_context_.context.rank(), [&] { scattering = scattering_plan_for(round); });
  if (failed) served_.note(*failed);
  if (failed || file_.ledger.failed()) return give_back(round);
  const std::vector<std::byte> fill = fill_in_file_order(file_, field_.variable);
  const std::vector<int> &primaries = plan_.route.primaries;
  const auto own = std::find(primaries.begin(), primaries.end(), server_context_.link.rank());
  const std::vector<Arrival::Slice> &slices = arrival_.slices(round);
  CollectedPoints source(scattering,
                         {plan_, round, own == primaries.end() ? -1 : static_cast<int>(own - primaries.begin()),
                          slices.empty() ? nullptr : slices.front().values});
  DeferredSink sink(*this, scattering, plan_.share(0, 0, round).first);
  std::vector<std::unique_ptr<Schedule>> schedule;
  schedule.push_back(std::make_unique<ScatterSchedule>(scattering, fills() ? fill.data() : nullptr));
  write_rounds({.file = file_,
                .variable = field_.variable,
                .doing = "scattering points to the servers that write them",
                .for_whom = "the servers that take its data",
                .stages = std::move(schedule),
                .source = source,
                .sink = sink,
                .packed = [&] { give_back(round); }});
}

}  // namespace sv
