#include "engine/closing.hpp"

#include <functional>

#include "delivery/file_delivery.hpp"
#include "engine/closing_behind.hpp"
#include "engine/combine.hpp"
#include "engine/commit.hpp"
#include "engine/durability.hpp"
#include "engine/ending.hpp"
#include "engine/file_parts.hpp"
#include "engine/recorded.hpp"
#include "file/home.hpp"
#include "file/older_files.hpp"
#include "file/servers.hpp"
#include "file/suppress_deferred_errors.hpp"
#include "transfer/alone.hpp"

namespace sv {

namespace {

using Action = std::function<void()>;

/// Local, on the owner, when no other rank has the file open: counts the records, and publishes it.
void give_name(File &file) {
  count_records(file);
  name_errors(file, -1, [&] {
    detach(file);
    file.home().handle.store().finish();
  });
}

/// Local. An error of a rank keeps the owner from publishing the file.
void detach_others(File &file) {
  if (!file.home().is_owner()) detach(file);
}

/// Of a file whose owner gives it its name in a gate. Returns whether some rank has misfits.
bool finish_in_gate(File &file) {
  Context &context = file.context();
  bool range_errors = false;
  or_fail(file, [&] {
    prepare_count(file, "sv_close", true);
    if (file.ledger.failed()) throw Error(file.ledger.failure());
    const auto failed = caught(context.rank(), [&] { detach_others(file); });
    const auto unfinished =
        context.agree_and_do("sv_close('" + file.path() + "'), finished", file.located(-1, failed),
                             {owner_rank, [&file] { give_name(file); }}, words_with(Any(file.range_errors.any())));
    if (unfinished) throw Error(*unfinished);
    range_errors = context.gate.last<Any>();
  });
  end_count(file, true);
  return range_errors;
}

/// Everything but the data, within the call. Returns whether some rank has misfits.
bool finish(File &file) {
  FileDelivery &delivery = delivery_of(file);
  if (delivery.places_in_calls()) return finish_in_gate(file);
  if (file.mode == Mode::data) commit(file, "sv_close", true);
  if (file.ledger.failed()) throw Error(file.ledger.failure());  // its servers have reported it meanwhile
  const std::string call = "sv_close('" + file.path() + "')";
  const Any range_errors = agree(
      file, call + ", detached", -1, [&] { detach(file); }, Any(file.range_errors.any()));
  delivery.close(true);
  if (!file.home().pieces(0).empty() && file.mode == Mode::data)
    agree(file, call + ", older file removed", -1, [&] { remove_older(file); });
  return range_errors;
}

/// The values that ranks agree on in the first gate of closing.
struct ClosingVote {
  Max<int64_t> waiting{};  // requests of a rank that wait
  All finish{};            // all ranks can finish the file in this gate
  auto members() { return std::tie(waiting, finish); }
};

/// The common knowledge after the first gate of closing: whether some rank has waiting requests; whether the file is
/// finished; whether some rank has range errors.
struct Begun {
  bool waits = false, finished = false, range_errors = false;
};

/// The first gate of the call. In it, small recorded puts are written, and the file is finished if nothing else is left
/// to do.
Begun begin_closing(File &file, const Action &check) {
  Context &context = file.context();
  const std::string call = "sv_close('" + file.path() + "')";
  const int64_t waiting = file.engine->pending.count();
  const bool carries = file.alone() == nullptr && !file.ledger.failed() && delivery_of(file).places_in_calls();
  if (!carries) return {.waits = agree(file, call, -1, check, Max(waiting)) > 0};
  const bool may_finish = waiting == 0 && !file.served.check_before_commit && !syncs_commit(file, true);
  bool finishes = false;
  const auto accepts = [&](std::span<const WrittenSlab> slabs) {
    finishes = may_finish && all_is_put(file, true, slabs);
    return true;
  };
  const auto all_finish = [&context]() -> bool { return context.gate.last<ClosingVote>().finish; };
  const auto then = [&] {
    if (all_finish()) give_name(file);
  };
  static_assert(word_count<ClosingVote> == RecordedInGate::own_values);
  RecordedInGate recorded(file, accepts, then);
  Agreed votes = words_with(ClosingVote{.waiting = waiting, .finish = finishes});
  recorded.write_to(votes);
  const auto failed = caught(context.rank(), [&] {
    check();
    if (!finishes) return;
    be_durable(file, false);
    detach_others(file);
  });
  const auto carried = recorded.end(context.agree_and_do(call, file.located(-1, failed), recorded.action(), votes));
  if (carried.failed) throw Error(*carried.failed);
  return {context.gate.last<ClosingVote>().waiting > 0, carried.done && all_finish(), carried.range_errors};
}

}  // namespace

std::optional<Error> complete(File &file) {
  Context &context = file.context();
  SuppressDeferredErrors suppressed(context);
  std::optional<Error> complaint;
  bool range_errors = false, later = false;
  try {
    const auto check = [&] {
      if (file.ledger.failed()) throw Error(file.ledger.failure());
      if (file.mode == Mode::define) throw Error(Status::order, "closed in define mode", "Call sv_enddef first");
    };
    const Begun begun = begin_closing(file, check);
    range_errors = begun.range_errors;
    if (!begun.finished) {
      end_indep(file);
      complaint = complete_all(file, begun.waits);
    }
    if (file.mode == Mode::data && file.ledger.has_uncommitted()) context.note_closed(!file.home().writes_here());
    later = !begun.finished && delivery_of(file).is_asynchronous();
    if (begun.finished)
      end_count(file, true);
    else if (later)
      hand_over(file);
    else
      range_errors = finish(file);
  } catch (const Error &error) {
    fail(file, error);
    abandon(file);
    if (context.servers != nullptr) context.servers->forget_deferred_errors(error);
    throw;
  }
  if (!later) end_complete(file, range_errors);
  return complaint ? complaint : suppressed.first();
}

}  // namespace sv
