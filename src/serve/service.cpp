#include "serve/service.hpp"

#include <algorithm>

#include "base/signature.hpp"
#include "file/file_system.hpp"
#include "file/home.hpp"

namespace sv {

namespace {

constexpr size_t durable_value = agreed_values - 1, inside_value = agreed_values - 2;

}  // namespace

Agreed Service::agree(const std::string &call, const std::optional<Error> &error, const Agreed &given) {
  const int64_t own_call = current_call();
  const bool begins = std::exchange(last_call_, own_call) != own_call && !Beside::is_alive(context_);
  Agreed values = given;
  values[inside_value] = begins ? 0 : 1;  // a rank whose arguments are refused may have come less far than others
  while (true) {                          // bounded: the trouble of a file is news once
    const std::optional<Error> failed = pass_gate(call, error, values);
    const Agreed agreed = context_.gate().last();
    if (failed && context_.gate().about() == 0) {
      forget_news(*failed);
      throw Error(*failed);
    }
    if (failed) keep_news(context_.gate().about(), *failed);
    if (agreed[inside_value] == 0 && !news_.empty()) throw Error(*take_news());
    if (!failed) return agreed;
  }
}

/// Returns what the gate throws: this rank's or another one's error, or, where these have none, what servers have
/// failed with.
std::optional<Error> Service::pass_gate(const std::string &call, std::optional<Error> mine, Agreed values) {
  int64_t about = 0;
  if (!mine)
    mine = caught(context_.rank(), [&] {
      const auto trouble = client_.listen();
      if (!trouble) return;
      about = trouble->file;
      throw Error(trouble->error);
    });
  values[durable_value] = -client_.durable_steps();
  std::optional<Error> failed;
  try {
    context_.gate().agree(signature_of(call), call, mine ? &*mine : nullptr, values, about);
  } catch (const Error &error) {
    failed = error;
  }
  const int64_t durable = context_.gate().last()[durable_value];
  if (durable > -INT64_MAX) context_.disk().served(-durable);
  if (failed && failed->status() == Status::timeout) {
    client_.look();  // a rank that is missing may be waiting for a server that has ended
    client_.fail(failed->what());
  }
  return failed;
}

/// All know of it, and it is still to be told.
void Service::keep_news(int64_t number, const Error &error) {
  client_.forget_trouble(number);
  for (const auto &file : context_.files())
    if (file->served_number() == number && !file->ledger().failed()) fail(*file, error);
  news_.push_back({number, error});
}

std::optional<Error> Service::take_news() {
  if (news_.empty()) return std::nullopt;
  const Error first = news_.front().error;
  news_.pop_front();
  return first;
}

void Service::forget_news(const Error &told) {
  const std::string text = told.what();
  std::erase_if(news_, [&text](const News &each) { return text.find(each.error.what()) != std::string::npos; });
}

std::optional<Error> Service::news_of(int64_t file) const {
  for (const News &each : news_)
    if (each.file == file) return each.error;
  return std::nullopt;
}

/// Collective. However long it takes: all look now and then whether all are still there. `error`: of this rank.
void Service::await_answers(const std::string &call, const std::optional<Error> &error) {
  for (bool waits = true; waits;) {
    bool done = error.has_value();
    std::optional<Error> failed = error;
    if (!done) failed = caught(context_.rank(), [&] { done = client_.has_answers(); });
    waits = context_.agree(call + ", awaited", failed, {done || failed ? 0 : 1})[0] != 0;
  }
}

void Service::settle(const std::string &path) {
  if (unsettled_.count(path) == 0) return;
  const Beside beside(context_);
  await_written("settling '" + path + "'");
}

/// Which names are names of one file is for a file system to tell, which ranks may see differently: one of them asks.
void Service::settle(const char *call, const std::string &path) {
  if (unsettled_.empty()) return;
  Agreed waits{};
  if (context_.rank() == owner_rank)
    waits[0] = std::any_of(unsettled_.begin(), unsettled_.end(),
                           [&](const std::string &each) { return name_one_file(each, path); })
                   ? 1
                   : 0;
  if (context_.agree(std::string(call) + "('" + path + "'), its servers", std::nullopt, waits)[0] == 0) return;
  const Beside beside(context_);
  await_written(call);
}

void Service::await_written(const std::string &call) {
  PhaseTimer timer(context_.metrics(), Phase::write);
  const trace::Bracket flushing(context_.metrics().steps, trace::Doing::flush);
  context_.agree(call, std::nullopt);  // no rank asks servers before all have come so far
  flush(call, Level::written);
}

void Service::flush(const std::string &call, Level level) {
  context_.agree(call + ", told", [&] { client_.flush(level); });
  if (level == Level::handed_over) return;
  await_answers(call, std::nullopt);
  unsettled_.clear();
}

void Service::finalize(const std::string &call) {
  context_.agree(call + ", told", [&] { client_.finalize(); });
  await_answers(call, std::nullopt);
  client_.count(context_.metrics());
}

}  // namespace sv
