#include "file/context.hpp"

#include <new>

#include "base/signature.hpp"
#include "base/warning.hpp"
#include "file/servers.hpp"

namespace sv {

std::optional<Error> caught(int rank, const std::function<void()> &action) {
  try {
    action();
  } catch (Error &error) {
    return error.on_rank(rank);
  } catch (const std::bad_alloc &) {
    return Error(Status::no_memory, "no memory", "Use more nodes, or a smaller 'window'").on_rank(rank);
  } catch (const std::exception &error) {
    return Error(Status::internal, std::string("unexpected: ") + error.what(), "Please report it").on_rank(rank);
  } catch (...) {
    return Error(Status::internal, "an exception without a name", "Please report it").on_rank(rank);
  }
  return std::nullopt;
}

Context::Context(Comm comm, const Settings &settings, const ContextOptions &options)
    : comm_(std::move(comm)), settings_(settings), options_(options) {
  metrics_.steps = options.steps;
  node_ = std::make_unique<Node>(
      comm_, NodeOptions{settings_.window_bytes, settings_.ranks_per_node, settings_.transport != Transport::send,
                         settings_.transport == Transport::place, options.patience * settings_.watchdog_seconds});
  window_ = std::make_unique<Window>(*node_);
  gate_ = std::make_unique<Gate>(*node_);
  if (metrics_.steps == nullptr) return;
  const int own = metrics_.steps->rank();
  trace_ranks_ = comm_.all_gather<int>(std::span<const int>(&own, 1));
}

void Context::free() {
  node_->free();
  teams_.free();
  comm_.free();
}

Agreed Context::agree(const std::string &call, const std::function<void()> &local, const Agreed &values) {
  return agree(call, caught(rank(), local), values);
}

Agreed Context::agree(const std::string &call, const std::optional<Error> &error, const Agreed &values) {
  std::optional<Error> mine = refusals_.take(call, rank());
  if (!mine) mine = error;
  const trace::Bracket waits(metrics_.steps, trace::Doing::wait);
  if (servers_ != nullptr) return servers_->agree(call, mine, values);
  return gate_->agree(signature_of(call), call, mine ? &*mine : nullptr, values);
}

std::string Context::word_on_servers() const {
  const int servers = options_.servers;
  if (servers == 0) return "";
  return ". " + std::to_string(servers) + (servers == 1 ? " rank serves" : " ranks serve") +
         ", and cannot own cells: ask sv_is_model after sv_init, and divide the grid among the ranks of sv_model_comm";
}

void Context::count(const Transfers &transfers) {
  metrics_.messages += transfers.sent();
  metrics_.message_bytes += transfers.sent_bytes();
}

void Context::warn_once(const std::string &text) {
  if (rank() == owner_rank && warned_.insert(text).second) warn(text);
}

void Context::note(const Error &failure) {
  if (first_failure_.empty()) first_failure_ = failure.what();
}

std::optional<Error> Beside::news() {
  if (context_.beside_ > 1 || context_.servers_ == nullptr) return std::nullopt;
  return context_.servers_->take_news();
}

void Beside::tell() {
  if (const auto first = news()) throw Error(*first);
}

}  // namespace sv
