#include "serve/late_news.hpp"

#include <algorithm>
#include <utility>

#include "base/signature.hpp"
#include "file/beside.hpp"
#include "file/file.hpp"
#include "file/home.hpp"
#include "rounds/carrier.hpp"

namespace sv {

namespace {

constexpr size_t durable_value = agreed_values - 1, inside_value = agreed_values - 2;

/// All know: the file of this number has failed.
void fail_of(File &file, int64_t number, const Error &error) {
  if (file.ledger.failed()) return;
  if (file.served_number == number) return fail(file, error);
  const std::vector<int64_t> *const others = file.fails_with.get();
  if (others == nullptr || std::find(others->begin(), others->end(), number) == others->end()) return;
  fail(file, error, Failed::another);
  if (!file.has_home()) return;
  if (Carrier *const carrier = file.home().carrier()) carrier->fail(error);
}

}  // namespace

Agreed LateNews::agree(const std::string &call, const std::optional<Error> &error, const Brought &given) {
  const int64_t own_call = current_call();
  const bool begins = std::exchange(last_call_, own_call) != own_call && context_.besides == 0;
  Brought brought = given;
  brought.values[inside_value] =
      begins ? 0 : 1;  // a rank whose arguments are refused may have come less far than others
  while (true) {       // bounded: the trouble of a file is news once
    const std::optional<Error> failed = pass_gate(call, error, brought);
    const Agreed agreed = context_.gate.last();
    if (failed && context_.gate.about() == 0) {
      forget_news(*failed);
      throw Error(*failed);
    }
    if (failed) keep_news(context_.gate.about(), *failed);
    if (agreed[inside_value] == 0 && !news_.empty()) throw Error(*take_news());
    if (!failed) return agreed;
  }
}

/// Returns what the gate throws: this rank's or another one's error, or, where these have none, what others have
/// failed with beside the calls.
std::optional<Error> LateNews::pass_gate(const std::string &call, std::optional<Error> mine, Brought brought) {
  if (!mine)
    mine = caught(context_.rank(), [&] {
      const auto trouble = listen();
      if (!trouble) return;
      brought.about = trouble->file;
      throw Error(trouble->error);
    });
  brought.values[durable_value] = -durable_steps();
  std::optional<Error> failed;
  try {
    context_.gate.agree(passing_signature_of(call), call, mine ? &*mine : nullptr, brought);
  } catch (const Error &error) {
    failed = error;
  }
  const int64_t durable = context_.gate.last()[durable_value];
  if (durable > -INT64_MAX) context_.disk.served(-durable);
  if (failed && failed->status() == Status::timeout) gave_up(*failed);
  return failed;
}

/// All know of it, and it is still to be told.
void LateNews::keep_news(int64_t number, const Error &error) {
  all_know(number);
  for (const auto *files : {&context_.closing, &context_.files})
    for (const auto &file : *files) fail_of(*file, number, error);
  news_.push_back({number, error});
}

std::optional<Error> LateNews::take_news() {
  if (news_.empty()) return std::nullopt;
  const Error first = news_.front().error;
  news_.pop_front();
  return first;
}

void LateNews::forget_news(const Error &told) {
  const std::string text = told.what();
  std::erase_if(news_, [&text](const Trouble &each) { return text.find(each.error.what()) != std::string::npos; });
}

std::optional<Error> LateNews::news_of(int64_t file) const {
  for (const Trouble &each : news_)
    if (each.file == file) return each.error;
  return std::nullopt;
}

}  // namespace sv
