// What servers do for the models of a context, on the model's side: it gives files their homes, and brings what servers
// have failed with into the model's calls. The gate that begins a call tells it, and the call is not carried out then;
// where that gate was passed, the next call tells it. No call is left half done.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "file/context.hpp"
#include "file/servers.hpp"
#include "serve/client.hpp"

namespace sv {

class Service final : public Servers {
 public:
  /// Both must outlive it.
  Service(Context &context, Client &client) : context_(context), client_(client) {}

  std::shared_ptr<Home> home_of(File &file, const StoreMaker &maker) override;
  Agreed agree(const std::string &call, const std::optional<Error> &error, const Agreed &values) override;
  std::optional<Error> take_news() override;
  void forget_news(const Error &told) override;
  void settle(const char *call, const std::string &path) override;
  void flush(const std::string &call, Level level) override;
  void end_step() override { client_.end_step(); }

  Client &client() { return client_; }
  /// What is known of a file, by its number, and was not told yet.
  std::optional<Error> news_of(int64_t file) const;
  /// Local; the same on all ranks. Servers are told to do something with a file of this name.
  void unsettle(const std::string &path) { unsettled_.insert(path); }
  /// Collective. The opposite, where that is not done yet.
  void settle(const std::string &path);
  /// Collective. What was told so far is written, for all files.
  void await_written(const std::string &call);
  /// Collective. Until the servers have answered what they were asked; `error`: of this rank, which then ends the wait
  /// and is thrown.
  void await_answers(const std::string &call, const std::optional<Error> &error);
  /// Collective. The models are done: servers are told so, and answer.
  void finalize(const std::string &call);

 private:
  struct News {
    int64_t file;  // its number
    Error error;
  };
  std::optional<Error> pass_gate(const std::string &call, std::optional<Error> mine, Agreed values);
  void keep_news(int64_t number, const Error &error);

  Context &context_;
  Client &client_;
  std::deque<News> news_;            // not told yet; the same on every rank
  std::set<std::string> unsettled_;  // names
  int64_t last_call_ = 0;            // that has come to a gate
};

}  // namespace sv
