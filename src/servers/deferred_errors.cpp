#include "servers/deferred_errors.hpp"

#include <algorithm>
#include <utility>

#include "base/signature.hpp"
#include "delivery/file_delivery.hpp"
#include "file/file.hpp"
#include "file/home.hpp"
#include "file/suppress_deferred_errors.hpp"

namespace sv {

namespace {

/// The values that ranks agree on in every gate besides those of its call, in the last words.
struct DeferredVote {
  Any inside{};            // some rank is inside a call, or in one that lets news wait
  Min<int64_t> durable{};  // as many steps are on the disk as all ranks have heard
  auto members() { return std::tie(inside, durable); }
};
constexpr size_t first_word = call_values;

/// All know: the file of this number has failed.
void fail_of(File &file, int64_t number, const Error &error) {
  if (file.ledger.failed()) return;
  if (file.served.number == number) return fail(file, error);
  const std::vector<int64_t> *const others = file.served.fails_with.get();
  if (others == nullptr || std::find(others->begin(), others->end(), number) == others->end()) return;
  fail(file, error, Failed::another);
  delivery_of(file).fail(error);
}

}  // namespace

Agreed DeferredErrors::agree(const std::string &call, const std::optional<Error> &error, const GateInput &brought) {
  const int64_t own_call = current_call();
  const bool begins = std::exchange(last_call_, own_call) != own_call && !context_.defers_errors();
  while (true) {  // bounded: the trouble of a file is news once
    const std::optional<Error> failed = pass_gate(call, error, brought, !begins);
    const Agreed agreed = context_.gate.last();
    if (failed && context_.gate.about() == 0) {
      forget_deferred_errors(*failed);
      throw Error(*failed);
    }
    if (failed) keep_deferred_error(context_.gate.about(), *failed);
    // A rank whose arguments are refused may have come less far than others.
    if (!read_words<DeferredVote, first_word>(agreed).inside && !pending_.empty()) throw Error(*take_deferred_error());
    if (!failed) return agreed;
  }
}

/// Returns the error of the gate: this rank's or another one's, or else an error that occurred after an earlier call.
std::optional<Error> DeferredErrors::pass_gate(const std::string &call, std::optional<Error> mine, GateInput brought,
                                               bool inside) {
  if (!mine)
    mine = caught(context_.rank(), [&] {
      const auto trouble = listen();
      if (!trouble) return;
      brought.about = trouble->file;
      throw Error(trouble->error);
    });
  write_words<first_word>(brought.values, DeferredVote{.inside = inside, .durable = durable_steps()});
  std::optional<Error> failed;
  try {
    context_.gate.agree(run_local_hash(call), call, mine ? &*mine : nullptr, brought);
  } catch (const Error &error) {
    failed = error;
  }
  const int64_t durable = read_words<DeferredVote, first_word>(context_.gate.last()).durable;
  if (durable < INT64_MAX) context_.disk.served(durable);
  if (failed && failed->status() == Status::timeout) on_timeout(*failed);
  return failed;
}

/// All ranks know it, and it must still be reported.
void DeferredErrors::keep_deferred_error(int64_t number, const Error &error) {
  mark_failed_everywhere(number);
  for (const auto *files : {&context_.closing, &context_.files})
    for (const auto &file : *files) fail_of(*file, number, error);
  pending_.push_back({number, error});
}

std::optional<Error> DeferredErrors::take_deferred_error() {
  if (pending_.empty()) return std::nullopt;
  const Error first = pending_.front().error;
  pending_.pop_front();
  return first;
}

void DeferredErrors::forget_deferred_errors(const Error &reported) {
  const std::string text = reported.what();
  std::erase_if(pending_, [&text](const Trouble &each) { return text.find(each.error.what()) != std::string::npos; });
}

std::optional<Error> DeferredErrors::trouble_of(int64_t file) const {
  for (const Trouble &each : pending_)
    if (each.file == file) return each.error;
  return std::nullopt;
}

}  // namespace sv
