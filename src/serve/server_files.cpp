// What a server does with its files: makes them as models define them, and writes what arrives.
#include <algorithm>

#include "assemble/written_parts.hpp"
#include "file/home.hpp"
#include "rounds/file_trace.hpp"
#include "rounds/own_ranges.hpp"
#include "rounds/store_calls.hpp"
#include "serve/server.hpp"

namespace sv {

/// All servers of the group that own something, by the plan of the clients.
FileSettings Server::settings_for(const std::string &path) const {
  FileSettings made = settings_.for_file(path);
  made.route = {
      "ranges", 0, 0, {Writers::Kind::count, served_owners(made, static_cast<size_t>(context_->comm.size()))}};
  made.combine = Combine::off;
  return made;
}

/// A file that cannot be made or opened stands here all the same: what is put into it arrives, and is thrown away.
void Server::keep(Stream &stream, int64_t number, std::shared_ptr<File> file) {
  auto served = std::make_unique<ServedFile>();
  served->number = number;
  served->owned = std::move(file);
  served->file = served->owned.get();
  served->file->check_before_commit = [own = served.get()] {
    if (const auto late = own->late()) throw Error(*late);
  };
  stream.files[number] = std::move(served);
}

void Server::create(Stream &stream, int64_t number, const CreateFile &told) {
  drain();
  const trace::Bracket making(link_.steps(), trace::Doing::sync);
  FileSettings settings = settings_for(told.path);
  settings.format = told.format;
  settings.kind = told.kind;
  keep(stream, number, calls_.create(*context_, settings, told));
}

void Server::open(Stream &stream, int64_t number, const OpenFile &told) {
  drain();
  const trace::Bracket opening(link_.steps(), trace::Doing::sync);
  keep(stream, number, calls_.open(*context_, settings_for(told.path), told));
}

void Server::redefine(ServedFile &served, const RedefineFile &told) {
  drain();
  const trace::Bracket redefining(link_.steps(), trace::Doing::sync, subject_of(*served.file));
  calls_.redefine(*served.file, told);
}

void Server::define_fixed(ServedFile &served, const DefineFixed &told) {
  drain();
  if (!served.file->ledger.failed()) calls_.define_fixed(*served.file, told.variables);
}

Plan Server::plan_for(Stream &stream, const Entry &entry) {
  const MovedField &field = *entry.command.field();
  return served_plan(*file_of(stream, entry.command.file).file,
                     {field.variable, field.record, entry.layout, field.first_axis}, link_,
                     link_.crew().groups[static_cast<size_t>(group_)],
                     entry.command.is<PutField>() ? Direction::write : Direction::read);
}

std::unique_ptr<Arrival> Server::arrival_of(Stream &stream, const Entry &put) {
  return std::make_unique<Arrival>(link_, *stream.landing, plan_for(stream, put), put.command.field()->first_round);
}

/// Rounds go out even where reading fails: nobody waits for them, and the answer tells.
void Server::get(int component, const Entry &entry) {
  const MovedField &field = *entry.command.field();
  Stream &stream = streams_[static_cast<size_t>(component)];
  File &file = *file_of(stream, entry.command.file).file;
  if (!await_lists(stream, entry)) return;
  const trace::Bracket reading(link_.steps(), trace::Doing::read, subject_of(file, field.variable));
  Departure departure(link_, *stream.landing, plan_for(stream, entry), field.first_round);
  std::optional<Error> error;
  if (file.ledger.failed()) error = file.ledger.failure();
  for (int round = 0; round < departure.plan().rounds; ++round) {
    const auto has_room = [&] {
      departure.progress();
      return departure.begin();
    };
    if (!await(has_room, "waits for room")) return;
    for (const Arrival::Slice &slice : departure.slices()) {
      const Slab slab = slab_of(field.variable, field.record, departure.plan().share(0, slice.sink, round));
      const auto failed = caught(context_->rank(), [&] {
        if (!error) file.home().store().read(slab, {slice.values, static_cast<size_t>(slice.bytes)});
      });
      if (failed && !error) error = file.located(slab.variable, failed);
    }
    departure.depart();
  }
  await([&] { return departure.progress(); }, "waits until all have what was read");
  Report answer{.kind = Report::Kind::answer, .file = entry.command.file};
  if (error) answer.status = static_cast<int64_t>(error->status());
  if (error) answer.text = error->what();
  report(component, std::move(answer));
}

void Server::put(Stream &stream, Entry &entry) {
  ServedFile &served = file_of(stream, entry.command.file);
  File &file = *served.file;
  if (!await_lists(stream, entry)) return;
  if (entry.arrival == nullptr) entry.arrival = arrival_of(stream, entry);
  Arrival &arrival = *entry.arrival;
  stream.current = &arrival;
  const MovedField &field = *entry.command.field();
  if (!file.ledger.failed()) {
    const auto error = caught(context_->rank(), [&] { make_room(file, field.variable, field.record); });
    if (error) served.note(*error);
  }
  // Ranks that still pack need the cores, and what comes may be joined: writing begins when the step has ended, when
  // memory runs short, or when nothing happens for a while.
  constexpr double while_seconds = 0.05;
  const Deadline patience(while_seconds);
  const auto may_write = [&] {
    const auto ends = [](const Entry &later) { return !later.command.is<PutField>(); };
    return patience.passed() || stream.landing->release.held_bytes() > link_.ring_bytes() / 2 ||
           std::any_of(stream.entries.begin(), stream.entries.end(), ends);
  };
  if (!await(may_write, "waits for the end of the step")) return;
  for (int round = 0; round < arrival.plan().rounds; ++round) {
    const bool here = await(
        [&] {
          arrival.progress();
          return arrival.arrived() > round;
        },
        "waits for data", trace::Doing::receive);
    if (!here) return;
    if (arrival.plan().gathers()) {
      if (!await_primaries(arrival.plan())) return;
      put_collected(served, entry, stream, round);
      continue;
    }
    put_round(served, field, stream, arrival, round);
    relieve(stream);
  }
  if (!file.ledger.failed()) file.ledger.touch(field.variable, field.record);
}

void Server::put_round(ServedFile &served, const MovedField &field, Stream &stream, const Arrival &arrival, int round) {
  ++carried_;
  File &file = *served.file;
  const trace::Bracket assembling(link_.steps(), trace::Doing::assemble, subject_of(file, field.variable));
  const Plan &plan = arrival.plan();
  const Layout &layout = *plan.stages.front().sources;
  const int64_t element = plan.field.element_bytes;
  const bool failed = file.ledger.failed(), together = file.home().shares_calls();
  const bool fills =
      layout.has_holes() && !failed && file.settings().fill && !file.ledger.touched(field.variable, field.record);
  const WrittenParts parts(plan, layout, fills);
  const std::vector<std::byte> fill = fills ? fill_in_file_order(file, field.variable) : std::vector<std::byte>{};
  std::vector<ArrivedRun> all;
  for (const Arrival::Slice &slice : arrival.slices(round)) {
    const Share share = plan.share(0, slice.sink, round);
    const auto release = [&stream, number = slice.number] { stream.landing->release.done(number); };
    if (failed) {
      release();
      continue;
    }
    if (fills) parts.fill_holes(share, fill.data(), slice.values);
    std::vector<ArrivedRun> runs;
    for (const Segment &part : parts.of(share))
      runs.push_back({slab_of(field.variable, field.record, {share.box, part.first, part.last}),
                      {slice.values + (part.first - share.first) * element,
                       static_cast<size_t>((part.last - part.first) * element)}});
    if (together)
      all.insert(all.end(), runs.begin(), runs.end());
    else
      writing_.write(served, std::move(runs), release);
  }
  if (!together || failed) return;
  write_together(served, all, field.variable);
  for (const Arrival::Slice &slice : arrival.slices(round)) stream.landing->release.done(slice.number);
}

/// Of a store whose calls are MPI's: between receives, and as often on every server.
void Server::write_together(ServedFile &served, const std::vector<ArrivedRun> &runs, int variable) {
  File &file = *served.file;
  const double begin = wall_seconds();
  const trace::Bracket writes(link_.steps(), trace::Doing::write_file, subject_of(file, variable));
  const Calls calls{Direction::write, variable, std::ssize(runs), served.late().has_value()};
  const auto failed = make_calls(file, calls, [&](int64_t call) {
    const ArrivedRun run = call < 0 ? ArrivedRun{empty_slab(file, variable), {}} : runs[static_cast<size_t>(call)];
    file.home().store().write(run.slab, run.values);
  });
  if (failed) served.note(*failed);
  inline_seconds_ += wall_seconds() - begin;
}

}  // namespace sv
