#include "servers/put_rounds.hpp"

#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "file/store_calls.hpp"
#include "transfer/own_ranges.hpp"
#include "transport/message_layout.hpp"

namespace sv {

PutRounds::PutRounds(ServerContext &server_context, Landing &landing, ServedFile &served, const QueuedCommand &put)
    : server_context_(server_context),
      landing_(landing),
      served_(served),
      file_(*served.file),
      layout_(*put.layout),
      field_(put.field()),
      arrival_(*put.arrival),
      plan_(arrival_.plan()) {}

/// Whether this is the first writing of a slab that has holes, which are filled then.
bool PutRounds::fills() const {
  return layout_.has_holes() && file_.settings().fill && !file_.ledger.touched(field_.variable, field_.record);
}

/// The memory of a round is no longer needed.
void PutRounds::give_back(int round) {
  for (const Arrival::Slice &slice : arrival_.slices(round)) landing_.release.done(slice.number);
}

/// The parts of a share that are written.
std::vector<SliceInParts::Run> PutRounds::runs_of(const WrittenParts &parts, const Share &share) const {
  return sv::runs_of(slab_of(field_.variable, field_.record, share), parts.of(share), plan_.field.element_bytes);
}

/// Fills a slice that stands in parts into the order of the file, in any thread.
std::function<void(std::byte *)> PutRounds::ordering_of(const Arrival::Slice &slice, int round) {
  if (kept_ == nullptr)
    kept_ = std::make_shared<KeptSchedule>(
        plan_, 0, fills() ? fill_in_file_order(file_, field_.variable) : std::vector<std::byte>{});
  const Link &link = server_context_.link;
  return [kept = kept_, &link, place = MessagePlace{link.node(), slice.sink, round},
          from = slice.values](std::byte *to) { put_in_order(kept->schedule(), link.topology(), place, from, to); };
}

/// The arrived data of a round, in the order of the file. `ordered`: memory for slices that stand in parts in the ring.
std::vector<ArrivedRun> PutRounds::runs_in_order(int round, std::vector<std::vector<std::byte>> &ordered) {
  const WrittenParts parts(plan_, layout_, fills());
  const std::vector<std::byte> fill = fills() ? fill_in_file_order(file_, field_.variable) : std::vector<std::byte>{};
  std::vector<ArrivedRun> all;
  for (const Arrival::Slice &slice : arrival_.slices(round)) {
    const Share share = plan_.share(0, slice.sink, round);
    std::byte *values = slice.values;
    if (arrival_.in_parts(slice.sink)) {
      values = ordered.emplace_back(static_cast<size_t>(share.elements() * plan_.field.element_bytes)).data();
      ordering_of(slice, round)(values);
    } else {
      parts.fill_holes(share, fill.data(), values);
    }
    add_runs(all, runs_of(parts, share), values);
  }
  return all;
}

/// Of a store whose calls are MPI's: between receives, and as often on every server, also on one that has failed.
void PutRounds::write_together(int round) {
  std::vector<ArrivedRun> runs;
  std::vector<std::vector<std::byte>> ordered;
  const auto unordered = caught(server_context_.context.rank(), [&] { runs = runs_in_order(round, ordered); });
  if (unordered) served_.note(*unordered);
  const double begin = wall_seconds();
  const trace::Bracket writes(server_context_.link.steps(), trace::Doing::write_file,
                              subject_of(file_, field_.variable));
  const bool failed_before = served_.error().has_value();
  const bool at_once = file_.home().maker.kind().placing == Placing::by_chunk;  // its threads share the chunks
  const Calls calls{Direction::write, field_.variable, at_once ? 1 : std::ssize(runs), failed_before};
  const auto failed = make_calls(file_, calls, [&](int64_t call) {
    if (at_once && call >= 0) return write_runs(file_, file_.home().store(), runs);
    const ArrivedRun run =
        call < 0 ? ArrivedRun{empty_slab(file_, field_.variable), {}} : runs[static_cast<size_t>(call)];
    file_.home().store().write(run.slab, run.values);
  });
  if (failed) served_.note(*failed);
  server_context_.inline_seconds += wall_seconds() - begin;
}

void PutRounds::write(int round) {
  const trace::Bracket assembling(server_context_.link.steps(), trace::Doing::assemble,
                                  subject_of(file_, field_.variable));
  if (file_.ledger.failed()) return give_back(round);
  if (file_.home().shares_calls()) {
    write_together(round);
    return give_back(round);
  }
  const bool fills = this->fills();
  const WrittenParts parts(plan_, layout_, fills);
  const std::vector<std::byte> fill = fills ? fill_in_file_order(file_, field_.variable) : std::vector<std::byte>{};
  for (const Arrival::Slice &slice : arrival_.slices(round)) {
    const Share share = plan_.share(0, slice.sink, round);
    std::vector<SliceInParts::Run> runs = runs_of(parts, share);
    const auto release = [&landing = landing_, number = slice.number] { landing.release.done(number); };
    if (arrival_.in_parts(slice.sink)) {
      const std::shared_ptr<void> room(nullptr, [release](void *) { release(); });
      const int64_t bytes = share.elements() * plan_.field.element_bytes;
      server_context_.writing.write_slices(served_, {{bytes, ordering_of(slice, round), std::move(runs)}}, room);
      continue;
    }
    parts.fill_holes(share, fill.data(), slice.values);
    std::vector<ArrivedRun> own;
    add_runs(own, runs, slice.values);
    server_context_.writing.write(served_, std::move(own), release);
  }
}

}  // namespace sv
