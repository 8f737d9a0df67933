// What servers have failed with, on its way into the model's calls: told by the gate that begins a call, which then has
// not been carried out, or, where that gate was passed, by the next call. No call is left half done.
#include <atomic>

#include "base/signature.hpp"
#include "engine/client.hpp"
#include "engine/context.hpp"
#include "engine/file.hpp"

namespace sv {

namespace {

constexpr size_t durable_value = agreed_values - 1, inside_value = agreed_values - 2;

std::atomic<int64_t> calls{0};  // of all threads
thread_local int64_t own_call = 0;

}  // namespace

void Context::begin_call() { own_call = ++calls; }

/// The same as agree, of a model that has servers.
Agreed Context::agree_with_news(const std::string &call, const std::optional<Error> &error, Agreed values) {
  const bool begins = std::exchange(last_call_, own_call) != own_call && beside_ == 0;
  values[inside_value] = begins ? 0 : 1;  // a rank whose arguments are refused may have come less far than others
  while (true) {                          // bounded: the trouble of a file is news once
    const std::optional<Error> failed = pass_gate(call, error, values);
    const Agreed agreed = gate_->last();
    if (failed && gate_->about() == 0) {
      forget_news(*failed);
      throw Error(*failed);
    }
    if (failed) keep_news(gate_->about(), *failed);
    if (agreed[inside_value] == 0 && !news_.empty()) throw Error(*take_news());
    if (!failed) return agreed;
  }
}

/// Returns what the gate throws: this rank's or another one's error, or, where these have none, what servers have
/// failed with.
std::optional<Error> Context::pass_gate(const std::string &call, std::optional<Error> mine, Agreed values) {
  int64_t about = 0;
  if (!mine)
    mine = caught(rank(), [&] {
      const auto trouble = client_->listen();
      if (!trouble) return;
      about = trouble->file;
      throw Error(trouble->error);
    });
  values[durable_value] = -client_->durable_steps();
  std::optional<Error> failed;
  try {
    gate_->agree(signature_of(call), call, mine ? &*mine : nullptr, values, about);
  } catch (const Error &error) {
    failed = error;
  }
  const int64_t durable = gate_->last()[durable_value];
  if (durable > -INT64_MAX) served_durable_steps_ = std::max(served_durable_steps_, -durable);
  if (failed && failed->status() == Status::timeout) {
    client_->look();  // a rank that is missing may be waiting for a server that has ended
    client_->fail(failed->what());
  }
  return failed;
}

/// All know of it, and it is still to be told.
void Context::keep_news(int64_t number, const Error &error) {
  client_->forget_trouble(number);
  for (const auto &file : files_)
    if (file->number() == number && !file->failed()) file->fail(error);
  news_.push_back({number, error});
}

std::optional<Error> Context::take_news() {
  if (news_.empty()) return std::nullopt;
  const Error first = news_.front().error;
  news_.pop_front();
  return first;
}

void Context::forget_news(const Error &told) {
  const std::string text = told.what();
  std::erase_if(news_, [&text](const News &each) { return text.find(each.error.what()) != std::string::npos; });
}

std::optional<Error> Context::news_of(const File &file) const {
  for (const News &each : news_)
    if (each.file == file.number()) return each.error;
  return std::nullopt;
}

/// Collective. However long it takes: all look now and then whether all are still there. `error`: of this rank.
void Context::await_answers(const std::string &call, const std::optional<Error> &error) {
  for (bool waits = true; waits;) {
    bool done = error.has_value();
    std::optional<Error> failed = error;
    if (!done) failed = caught(rank(), [&] { done = client_->has_answers(); });
    waits = agree(call + ", awaited", failed, {done || failed ? 0 : 1})[0] != 0;
  }
}

Context::Beside::Beside(Context &context) : context_(context) { ++context_.beside_; }
Context::Beside::~Beside() { --context_.beside_; }

std::optional<Error> Context::Beside::news() { return context_.beside_ > 1 ? std::nullopt : context_.take_news(); }

void Context::Beside::tell() {
  if (const auto first = news()) throw Error(*first);
}

}  // namespace sv
