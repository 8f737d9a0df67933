#include "servers/service.hpp"

#include "file/home.hpp"
#include "file/suppress_deferred_errors.hpp"

namespace sv {

/// A rank that is missing may be waiting for a server that has ended.
void Service::on_timeout(const Error &error) {
  client_.link().poll_failure();
  client_.link().fail(Status::timeout, error.what());
}

/// Collective. However long it takes: all look now and then whether all are still there. `error`: of this rank.
void Service::await_answers(const std::string &call, const std::optional<Error> &error) {
  for (bool waits = true; waits;) {
    bool done = error.has_value();
    std::optional<Error> failed = error;
    if (!done) failed = caught(context_.rank(), [&] { done = client_.reports().has_answers(); });
    waits = context_.agree(call + ", awaited", failed, Any(!done && !failed));
  }
}

void Service::settle(const FileName &name) {
  if (!unsettled_.has(name.place())) return;
  const SuppressDeferredErrors suppressed(context_);
  await_written("settling '" + name.path() + "'");
}

/// Only a file system knows which names belong to one file, and ranks may see it differently: one of them asks.
void Service::settle(const char *call, const FileName &name) {
  if (unsettled_.is_empty()) return;
  const Any waits = context_.rank() == owner_rank && unsettled_.has_file_of(name.place());
  if (!context_.agree(std::string(call) + "('" + name.path() + "'), its servers", std::nullopt, waits)) return;
  const SuppressDeferredErrors suppressed(context_);
  await_written(call);
}

void Service::await_written(const std::string &call) {
  PhaseTimer timer(context_.metrics, Phase::write);
  const trace::Bracket flushing(context_.metrics.steps, trace::Doing::flush);
  context_.agree(call, std::nullopt);  // no rank asks servers before all have come so far
  flush(call, Level::written);
}

void Service::flush(const std::string &call, Level level) {
  context_.agree(call + ", result", [&] { client_.flush(level); });
  if (level == Level::handed_over) return;
  await_answers(call, std::nullopt);
  unsettled_.clear();
}

void Service::finalize(const std::string &call) {
  context_.agree(call + ", result", [&] { client_.finalize(); });
  await_answers(call, std::nullopt);
  client_.count(context_.metrics);
}

}  // namespace sv
