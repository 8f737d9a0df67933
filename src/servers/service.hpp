// The service of servers for the models of a context, on the model's side: it gives files their homes, and brings
// errors of servers into the model's calls.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "servers/client.hpp"
#include "servers/deferred_errors.hpp"
#include "store/name_set.hpp"

namespace sv {

class Service : public DeferredErrors {
 public:
  /// Both must outlive it.
  Service(Context &context, Client &client) : DeferredErrors(context), client_(client) {}

  std::shared_ptr<Home> home_of(File &file, const StoreMaker &maker, bool in_pieces) override;
  void settle(const char *call, const FileName &name) override;
  void flush(const std::string &call, Level level) override;
  void end_step() override { client_.end_step(); }

  Client &client() { return client_; }
  /// Local; the same on all ranks. Servers have a command for a file of this name.
  void unsettle(const std::string &path) { unsettled_.add(path); }
  /// Collective. The opposite, where that is not done yet.
  void settle(const FileName &name);
  /// Collective. Waits until all earlier puts are written, for all files.
  void await_written(const std::string &call);
  /// Collective. Until the servers have answered what they were asked; `error`: of this rank, which then ends the wait
  /// and is thrown.
  void await_answers(const std::string &call, const std::optional<Error> &error);
  /// Collective. The models are done: servers receive this, and answer.
  void finalize(const std::string &call);

 protected:
  std::optional<Trouble> listen() override { return client_.reports().listen(); }
  void mark_failed_everywhere(int64_t file) override { client_.reports().forget_trouble(file); }
  int64_t durable_steps() const override { return client_.reports().durable_steps(); }
  void on_timeout(const Error &error) override;

 private:
  Client &client_;
  NameSet unsettled_;
};

}  // namespace sv
