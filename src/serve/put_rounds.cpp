#include "serve/put_rounds.hpp"

#include "file/home.hpp"
#include "rounds/file_trace.hpp"
#include "rounds/own_ranges.hpp"
#include "rounds/store_calls.hpp"

namespace sv {

PutRounds::PutRounds(Station &station, Landing &landing, ServedFile &served, const QueuedCommand &put)
    : station_(station),
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

/// The parts of a share that are written.
std::vector<ArrivedRun> PutRounds::runs_of(const WrittenParts &parts, const Share &share, std::byte *values) const {
  const int64_t element = plan_.field.element_bytes;
  std::vector<ArrivedRun> runs;
  for (const Segment &part : parts.of(share))
    runs.push_back(
        {slab_of(field_.variable, field_.record, {share.box, part.first, part.last}),
         {values + (part.first - share.first) * element, static_cast<size_t>((part.last - part.first) * element)}});
  return runs;
}

/// Nobody needs the memory of a round any more.
void PutRounds::give_back(int round) {
  for (const Arrival::Slice &slice : arrival_.slices(round)) landing_.release.done(slice.number);
}

/// Of a store whose calls are MPI's: between receives, and as often on every server.
void PutRounds::write_together(const std::vector<ArrivedRun> &runs) {
  const double begin = wall_seconds();
  const trace::Bracket writes(station_.link.steps(), trace::Doing::write_file, subject_of(file_, field_.variable));
  const bool failed_before = served_.late().has_value();
  const bool at_once = file_.home().maker.kind().placing == Placing::by_chunk;  // its threads share the chunks
  const Calls calls{Direction::write, field_.variable, at_once ? 1 : std::ssize(runs), failed_before};
  const auto failed = make_calls(file_, calls, [&](int64_t call) {
    if (at_once && call >= 0) {
      std::vector<SlabPart> parts;
      for (const ArrivedRun &each : runs) parts.push_back({each.slab, each.values, false});
      return file_.home().store().write_many(parts);
    }
    const ArrivedRun run =
        call < 0 ? ArrivedRun{empty_slab(file_, field_.variable), {}} : runs[static_cast<size_t>(call)];
    file_.home().store().write(run.slab, run.values);
  });
  if (failed) served_.note(*failed);
  station_.inline_seconds += wall_seconds() - begin;
}

void PutRounds::write(int round) {
  const trace::Bracket assembling(station_.link.steps(), trace::Doing::assemble, subject_of(file_, field_.variable));
  if (file_.ledger.failed()) return give_back(round);
  const bool together = file_.home().shares_calls(), fills = this->fills();
  const WrittenParts parts(plan_, layout_, fills);
  const std::vector<std::byte> fill = fills ? fill_in_file_order(file_, field_.variable) : std::vector<std::byte>{};
  std::vector<ArrivedRun> all;
  for (const Arrival::Slice &slice : arrival_.slices(round)) {
    const Share share = plan_.share(0, slice.sink, round);
    parts.fill_holes(share, fill.data(), slice.values);
    std::vector<ArrivedRun> runs = runs_of(parts, share, slice.values);
    if (together)
      all.insert(all.end(), runs.begin(), runs.end());
    else
      station_.writing.write(served_, std::move(runs),
                             [&landing = landing_, number = slice.number] { landing.release.done(number); });
  }
  if (!together) return;
  write_together(all);
  give_back(round);
}

}  // namespace sv
