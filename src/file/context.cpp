#include "file/context.hpp"

#include "base/signature.hpp"
#include "base/warning.hpp"
#include "file/servers.hpp"

namespace sv {

namespace {

NodeOptions node_options(const Settings &settings, const ContextOptions &options) {
  return {settings.window_bytes,
          settings.ranks_per_node,
          settings.transport != Transport::send,
          settings.transport == Transport::place,
          options.patience * settings.watchdog_seconds,
          options.on_one_host};
}

}  // namespace

Context::Context(Comm ranks, const Settings &all, const ContextOptions &chosen)
    : settings(all),
      options(chosen),
      comm(std::move(ranks)),
      node(comm, node_options(all, chosen)),
      window(node),
      gate(node) {
  metrics.steps = options.steps;
  if (metrics.steps == nullptr) return;
  const int own = metrics.steps->rank();
  trace_ranks = comm.all_gather<int>(std::span<const int>(&own, 1));
}

void Context::free() {
  node.free();
  teams.free();
  comm.free();
}

Agreed Context::agree(const std::string &call, const std::function<void()> &local, const Agreed &values) {
  return agree(call, caught(rank(), local), values);
}

Agreed Context::agree(const std::string &call, const std::optional<Error> &error, const Agreed &values) {
  return pass(call, error, {.values = values});
}

Agreed Context::agree_and_share(const std::string &call, const std::optional<Error> &error,
                                std::span<const std::byte> enclosed, const Agreed &values) {
  return pass(call, error, {.values = values, .enclosed = enclosed});
}

std::optional<Error> Context::agree_and_do(const std::string &call, const std::optional<Error> &error,
                                           const RootAction &action, const Agreed &values) {
  try {
    pass(call, error, {.values = values, .action = &action});
  } catch (const Error &failed) {
    if (!gate.deed_failed()) throw;
    return failed;
  }
  return std::nullopt;
}

Agreed Context::pass(const std::string &call, const std::optional<Error> &error, GateInput brought) {
  std::optional<Error> mine = refusals.take(call, rank());
  if (!mine) mine = error;
  std::optional<trace::Bracket> waits(std::in_place, metrics.steps, trace::Doing::wait);
  RootAction own;
  if (const RootAction *const action = brought.action) {
    own = {action->rank,
           [&waits, action] {
             waits.reset();  // the acting rank does not wait any more
             action->action();
           },
           action->sent};
    brought.action = &own;
  }
  if (servers != nullptr) return servers->agree(call, mine, brought);
  return gate.agree(gate.is_of_one() ? 0 : run_local_hash(call), call, mine ? &*mine : nullptr, brought);
}

void Context::warn_once(const std::string &text) {
  if (rank() == owner_rank && warned_.insert(text).second) warn(text);
}

void Context::note(const Error &failure) {
  if (first_failure_.empty()) first_failure_ = failure.what();
}

}  // namespace sv
