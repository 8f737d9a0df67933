// The server's part of a put or get of a field: its rounds come in and are written, or are read and go out.
#include "base/first_error.hpp"
#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "file/store_calls.hpp"
#include "servers/command_executor.hpp"
#include "servers/put_rounds.hpp"
#include "transport/departure.hpp"

namespace sv {

/// Ranks that still pack need the cores, and arriving data may be joined: writing begins when the step has ended, when
/// memory runs short, or when nothing happens for a while. False when the models have ended.
bool CommandExecutor::await_writing() {
  constexpr double while_seconds = 0.05;
  const Deadline patience(while_seconds);
  const auto may_write = [&] {
    return patience.passed() ||
           component_.landing.release.held_bytes() > server_context_.link.memory().shape().ring_bytes / 2 ||
           component_.stream.has_other_than_puts();
  };
  return server_context_.await(may_write, "waits for the end of the step");
}

void CommandExecutor::on(const PutField &field) {
  File &file = this->file();
  if (!component_.stream.await_lists(entry_)) return;
  Arrival &arrival = component_.stream.arrival_of(entry_);
  PutRounds rounds(server_context_, component_.landing, served(), entry_);
  if (!file.ledger.failed()) {
    const auto error = caught(server_context_.context.rank(), [&] { make_room(file, field.variable, field.record); });
    if (error) served().note(*error);
  }
  if (!await_writing()) return;
  for (int round = 0; round < arrival.plan().rounds; ++round) {
    const auto has_come = [&] {
      arrival.progress();
      return arrival.arrived() > round;
    };
    if (!server_context_.await(has_come, "waits for data", trace::Doing::receive)) return;
    ++server_context_.carried;
    if (!arrival.plan().gathers()) {
      rounds.write(round);
      component_.flush_if_idle();
    } else if (rounds.await_primaries()) {
      rounds.write_collected(round);
    } else {
      return;
    }
  }
  if (!file.ledger.failed()) file.ledger.touch(field.variable, field.record);
}

namespace {

struct ReadRound {
  int number;
  bool failed;  // this server, before
};

/// This server's part of a round. For a store with MPI calls, all servers of the group read as often.
std::optional<Error> read_round(File &file, const MovedField &field, const Departure &departure, ReadRound round) {
  const std::vector<Arrival::Slice> &slices = departure.slices();
  const Calls calls{Direction::read, field.variable, std::ssize(slices), round.failed};
  return make_calls(file, calls, [&](int64_t call) {
    if (call < 0) return file.home().store().read(empty_slab(file, field.variable), {});
    const Arrival::Slice &slice = slices[static_cast<size_t>(call)];
    const Share share = departure.plan().share(0, slice.sink, round.number);
    file.home().store().read(slab_of(field.variable, field.record, share),
                             {slice.values, static_cast<size_t>(slice.bytes)});
  });
}

}  // namespace

/// Rounds go out even if reading fails: no client waits for them, and the answer contains the error.
void CommandExecutor::on(const GetField &field) {
  File &file = this->file();
  if (!component_.stream.await_lists(entry_)) return;
  const trace::Bracket reading(server_context_.link.steps(), trace::Doing::read, subject_of(file, field.variable));
  Departure departure(component_.landing, component_.stream.plan_of(entry_), field.first_round);
  FirstError first;
  if (file.ledger.failed()) first.note(file.ledger.failure());
  for (int round = 0; round < departure.plan().rounds; ++round) {
    const auto has_room = [&] {
      departure.progress();
      return departure.begin();
    };
    if (!server_context_.await(has_room, "waits for room")) return;
    if (!file.ledger.failed())
      first.note(file.located(field.variable, read_round(file, field, departure, {round, static_cast<bool>(first)})));
    departure.depart();
  }
  server_context_.await([&] { return departure.progress(); }, "waits until all ranks have their values");
  Report answer{.file = entry_.command.file};
  if (first) answer.status = static_cast<int64_t>(first.error()->status());
  if (first) answer.text = first.error()->what();
  component_.answer(std::move(answer));
}

}  // namespace sv
