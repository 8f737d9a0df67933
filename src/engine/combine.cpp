#include "engine/combine.hpp"

#include <functional>

#include "base/first_error.hpp"
#include "engine/batch.hpp"
#include "engine/file_parts.hpp"
#include "engine/recorded.hpp"
#include "file/suppress_deferred_errors.hpp"

namespace sv {

namespace {

std::string call_on(const char *call, const File &file) { return std::string(call) + "('" + file.path() + "')"; }

}  // namespace

void wait_for(File &file, std::span<const int64_t> numbers, std::vector<std::optional<Error>> &outcomes) {
  const int rank = file.context().rank();
  SuppressDeferredErrors suppressed(file.context());
  outcomes.assign(numbers.size(), std::nullopt);
  std::vector<std::optional<Request>> requests(numbers.size());
  Batch batch(file, call_on("sv_wait", file), Batch::Kind::any);
  std::optional<Error> unknown;
  for (size_t i = 0; i < numbers.size(); ++i) {
    outcomes[i] = caught(rank, [&] { requests[i] = file.engine->pending.take(file, numbers[i]); });
    if (outcomes[i] && !unknown) unknown = outcomes[i];
    if (requests[i]) batch.add(*requests[i], static_cast<int>(i));
  }
  const auto report = [&] {
    for (const Batch::Item &item : batch.items()) {
      outcomes[static_cast<size_t>(item.place)] = item.outcome;
      file.engine->pending.give_back(*requests[static_cast<size_t>(item.place)]);
    }
  };
  try {
    if (const auto complaint = complete_recorded(file)) unknown = complaint;
    if (unknown) batch.mark_failed();
    batch.run();
  } catch (const Error &error) {
    report();
    for (size_t i = 0; i < outcomes.size(); ++i)
      if (requests[i] && !outcomes[i] && !batch.has_run()) outcomes[i] = error;
    throw;
  }
  report();
  batch.conclude(unknown);
  suppressed.throw_first();
}

void carry_out(File &file, const char *call, std::span<const RequestArgs> asked) {
  FirstError first;
  first.note(complete_recorded(file));
  std::vector<std::optional<Request>> requests(asked.size());
  Batch batch(file, call_on(call, file), Batch::Kind::all_or_nothing);
  for (size_t i = 0; i < asked.size(); ++i) {
    auto failed = file.located(asked[i].variable, caught(file.context().rank(), [&] {
                                 Request request = checked_request(file, asked[i]);
                                 hold_on_host(request);
                                 requests[i] = std::move(request);
                               }));
    if (failed) first.note(failed->in_request(static_cast<int>(i), static_cast<int>(asked.size())));
    if (requests[i]) batch.add(*requests[i], static_cast<int>(i));
  }
  if (first) batch.mark_failed();
  batch.run();
  batch.conclude(first.error());
}

std::optional<Error> complete_all(File &file, bool any_waits) {
  FirstError first;
  const auto attempt = [&](const std::function<void()> &action) {
    try {
      action();
    } catch (const Error &failure) {
      if (file.ledger.failed()) throw;
      first.note(failure);
    }
  };
  attempt([&] { first.note(complete_recorded(file)); });
  if (!any_waits) return first.error();
  const std::vector<int64_t> numbers = file.engine->pending.numbers();
  const SuppressDeferredErrors suppressed(file.context());
  std::vector<std::optional<Error>> outcomes;
  attempt([&] { wait_for(file, numbers, outcomes); });
  return first.error();
}

}  // namespace sv
