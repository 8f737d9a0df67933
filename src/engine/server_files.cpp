// What a server does with its files: makes them as models define them, and writes what arrives.
#include <algorithm>

#include "assemble/memory_view.hpp"
#include "assemble/point_rows.hpp"
#include "assemble/segments.hpp"
#include "engine/commit.hpp"
#include "engine/owners.hpp"
#include "engine/server.hpp"
#include "store/header_format.hpp"

namespace sv {

namespace {

/// All servers of the group that own something, by the plan of the clients.
FileSettings settings_for(const Settings &settings, const Command &command, int servers) {
  FileSettings made = settings.for_file(command.text);
  made.route = {"ranges", 0, 0, {Writers::Kind::count, served_owners(made, static_cast<size_t>(servers))}};
  made.combine = Combine::off;
  if (command.what == Command::What::open) return made;
  made.format = static_cast<Format>(command.numbers[0]);
  made.kind = static_cast<Kind>(command.numbers[1]);
  return made;
}

Schema schema_of(const Command &command, Format format) {
  Schema schema = decode_header(command.header.data(), std::ssize(command.header), -1);
  schema.format = format;
  return schema;
}

/// Of a file that is made or opened.
File::Definition definition_of(const Command &command) {
  const std::vector<int64_t> &numbers = command.numbers;
  const Surroundings surroundings{numbers[3] != 0, numbers[4], static_cast<int>(numbers[5])};
  return {schema_of(command, static_cast<Format>(numbers[0])), surroundings, numbers[2] != 0};
}

/// Of a share with holes: those, which are filled; or else what somebody owns. `boxes`: of these, where it has no
/// points.
std::vector<Segment> segments_of(const Plan &plan, const std::vector<Box> &boxes, const Share &share, bool holes) {
  const Layout &layout = *plan.stages.front().sources;
  if (layout.points() == nullptr) return covered_segments(boxes, share);
  return holes ? hole_segments(plan, share) : owned_segments(plan, share);
}

}  // namespace

/// A file that cannot be made (or opened) stands here all the same: what is put into it arrives, and is thrown away.
void Server::create(int component, const Command &command) {
  drain();
  const trace::Bracket making(link_.steps(), trace::Doing::sync);
  Stream &stream = streams_[static_cast<size_t>(component)];
  const FileSettings settings = settings_for(settings_, command, context_->comm().size());
  auto served = std::make_unique<ServedFile>();
  served->number = command.file;
  served->file = File::create_defined(*context_, command.text, settings, definition_of(command));
  served->file->check_before_commit([own = served.get()] {
    if (const auto late = own->late()) throw Error(*late);
  });
  stream.files[command.file] = std::move(served);
}

void Server::open(int component, const Command &command) {
  drain();
  const trace::Bracket opening(link_.steps(), trace::Doing::sync);
  Stream &stream = streams_[static_cast<size_t>(component)];
  const FileSettings settings = settings_for(settings_, command, context_->comm().size());
  auto served = std::make_unique<ServedFile>();
  served->number = command.file;
  const bool writing = command.numbers[1] != 0;
  served->file = File::open_defined(*context_, command.text, settings, definition_of(command), writing);
  if (writing)
    served->file->check_before_commit([own = served.get()] {
      if (const auto late = own->late()) throw Error(*late);
    });
  stream.files[command.file] = std::move(served);
}

void Server::redefine(ServedFile &served, const Command &command) {
  drain();
  const trace::Bracket redefining(link_.steps(), trace::Doing::sync, served.file->subject());
  served.file->redefine_as(schema_of(command, served.file->schema().format));
}

void Server::define_fixed(ServedFile &served, const Command &command) {
  drain();
  if (!served.file->failed()) sv::define_fixed(*served.file, {command.numbers.begin(), command.numbers.end()});
}

Plan Server::plan_for(Stream &stream, const Entry &entry) {
  const std::vector<int64_t> &numbers = entry.command.numbers;
  const ServedField field{static_cast<int>(numbers[0]), numbers[1], entry.layout, static_cast<int>(numbers[3])};
  return served_plan(*file_of(stream, entry.command.file).file, field, link_,
                     link_.crew().groups[static_cast<size_t>(group_)],
                     entry.command.what == Command::What::put ? Direction::write : Direction::read);
}

std::unique_ptr<Arrival> Server::arrival_of(Stream &stream, const Entry &put) {
  return std::make_unique<Arrival>(link_, *stream.landing, plan_for(stream, put), put.command.numbers[4]);
}

/// Rounds go out even where reading fails: nobody waits for them, and the answer tells.
void Server::get(int component, const Entry &entry) {
  const Command &command = entry.command;
  Stream &stream = streams_[static_cast<size_t>(component)];
  File &file = *file_of(stream, command.file).file;
  if (!await_lists(stream, entry)) return;
  const trace::Bracket reading(link_.steps(), trace::Doing::read, file.subject(static_cast<int>(command.numbers[0])));
  Departure departure(link_, *stream.landing, plan_for(stream, entry), command.numbers[4]);
  std::optional<Error> error;
  if (file.failed()) error = file.failure();
  for (int round = 0; round < departure.plan().rounds; ++round) {
    const auto has_room = [&] {
      departure.progress();
      return departure.begin();
    };
    if (!await(has_room, "waits for room")) return;
    for (const Arrival::Slice &slice : departure.slices()) {
      const Slab slab = slab_of(static_cast<int>(command.numbers[0]), command.numbers[1],
                                departure.plan().share(0, slice.sink, round));
      const auto failed = caught(context_->rank(), [&] {
        if (!error) file.attached_store().read(slab, {slice.values, static_cast<size_t>(slice.bytes)});
      });
      if (failed && !error) error = file.located(slab.variable, failed);
    }
    departure.depart();
  }
  await([&] { return departure.progress(); }, "waits until all have what was read");
  Report answer{.kind = Report::Kind::answer, .file = command.file};
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
  const auto variable = static_cast<int>(entry.command.numbers[0]);
  const int64_t record = entry.command.numbers[1];
  if (!file.failed()) {
    const auto error = caught(context_->rank(), [&] { file.make_room(variable, record); });
    if (error) served.note(*error);
  }
  // Ranks that still pack need the cores, and what comes may be joined: writing begins when the step has ended, when
  // memory runs short, or when nothing happens for a while.
  constexpr double while_seconds = 0.05;
  const Deadline patience(while_seconds);
  const auto may_write = [&] {
    const auto ends = [](const Entry &later) { return later.command.what != Command::What::put; };
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
    put_round(served, entry.command, stream, arrival, round);
    relieve(stream);
  }
  if (!file.failed()) file.touch(variable, record);
}

void Server::put_round(ServedFile &served, const Command &put, Stream &stream, const Arrival &arrival, int round) {
  ++carried_;
  File &file = *served.file;
  const auto variable = static_cast<int>(put.numbers[0]);
  const int64_t record = put.numbers[1];
  const trace::Bracket assembling(link_.steps(), trace::Doing::assemble, file.subject(variable));
  const Plan &plan = arrival.plan();
  const Layout &layout = *plan.stages.front().sources;
  const int64_t element = plan.field.element_bytes;
  // Holes are defined: the first writing of a slab fills what nobody owns; later ones leave what is there.
  const bool fills = layout.has_holes() && !file.failed() && file.settings().fill && !file.touched(variable, record);
  std::vector<Box> boxes;
  if (fills)
    for (const Box &hole : layout.holes()) boxes.push_back(plan.extend(hole));
  else if (layout.has_holes())
    for (const Patch &patch : layout.patches()) boxes.push_back(plan.extend(patch.box));
  std::vector<ArrivedRun> all;
  for (const Arrival::Slice &slice : arrival.slices(round)) {
    const Share share = plan.share(0, slice.sink, round);
    const auto release = [&stream, number = slice.number] { stream.landing->release.done(number); };
    if (file.failed()) {
      release();
      continue;
    }
    std::vector<ArrivedRun> runs;
    const auto add = [&](int64_t first, int64_t last) {
      runs.push_back({slab_of(variable, record, {share.box, first, last}),
                      {slice.values + (first - share.first) * element, static_cast<size_t>((last - first) * element)}});
    };
    std::vector<Segment> segments;
    if (layout.has_holes()) segments = segments_of(plan, boxes, share, fills);
    if (fills) {
      const std::vector<std::byte> fill = fill_in_file_order(file, variable);
      for (const Segment &hole : segments)
        fill_elements(slice.values + (hole.first - share.first) * element, hole.last - hole.first, fill.data(),
                      element);
    }
    if (fills || !layout.has_holes())
      add(share.first, share.last);
    else
      for (const Segment &owned : segments) add(owned.first, owned.last);
    if (file.has_team()) {
      all.insert(all.end(), runs.begin(), runs.end());
    } else {
      writing_.write(served, std::move(runs), release);
    }
  }
  if (!file.has_team() || file.failed()) return;
  write_together(served, all, put);
  for (const Arrival::Slice &slice : arrival.slices(round)) stream.landing->release.done(slice.number);
}

/// Of a store whose calls are MPI's: between receives, and as often on every server.
void Server::write_together(ServedFile &served, const std::vector<ArrivedRun> &runs, const Command &put) {
  File &file = *served.file;
  const auto variable = static_cast<int>(put.numbers[0]);
  const double begin = wall_seconds();
  const trace::Bracket writes(link_.steps(), trace::Doing::write_file, file.subject(variable));
  const auto failed = caught(context_->rank(), [&] {
    const bool broken = served.late().has_value();
    const auto mine = static_cast<int64_t>(runs.size());
    const int64_t calls = file.most_calls(Direction::write, variable, broken ? -1 : mine);
    const Box whole = Box::whole(file.field(variable, put.numbers[1]).shape);
    for (int64_t c = 0; c < calls; ++c) {
      const bool has = c < mine && !broken;
      const ArrivedRun &run = has ? runs[static_cast<size_t>(c)] : ArrivedRun{};
      file.attached_store().write(has ? run.slab : slab_of(variable, put.numbers[1], {whole, 0, 0}), run.values);
    }
  });
  if (failed) served.note(*failed);
  inline_seconds_ += wall_seconds() - begin;
}

}  // namespace sv
