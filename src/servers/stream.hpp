// The commands of one component (a model) to a server, in the order of its calls: received whenever there is time, and
// carried out one by one. Puts arrive ahead of their command, up to the first command that changes files.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "servers/protocol.hpp"
#include "servers/served_file.hpp"
#include "servers/served_points.hpp"
#include "servers/server_context.hpp"
#include "transport/arrival.hpp"
#include "transport/forwarder.hpp"

namespace sv {

/// A command that has come.
struct QueuedCommand {
  Command command;
  std::shared_ptr<const Layout> layout{};  // of a put or get
  std::unique_ptr<Arrival> arrival{};      // of a put whose rounds may come

  const MovedField &field() const { return *command.field(); }
};

class Stream {
 public:
  /// All must outlive it.
  Stream(ServerContext &server_context, Landing &landing, const ServedFiles &files);

  /// Local, never blocks.
  void progress();
  bool has_command() const { return !entries_.empty(); }
  /// Whether any command has come that is no put.
  bool has_other_than_puts() const { return others_ > 0; }
  /// The next command, and that it has been carried out.
  QueuedCommand take();
  void done();
  /// The model has sent all commands.
  void finish() { finished_ = true; }
  bool is_finished() const { return finished_; }
  int unanswered = 0;  // commands that have come and want an answer

  /// Of a put or get that is carried out.
  Plan plan_of(const QueuedCommand &entry) const;
  /// Of a put that is carried out.
  Arrival &arrival_of(QueuedCommand &put);
  /// Until it is known whose points come, or go; or of all layouts. False when the models have ended.
  bool await_lists(const QueuedCommand &entry);
  bool await_all_lists();

 private:
  void take_in(Command command);
  void look_ahead();
  void begin(QueuedCommand &put);

  ServerContext &server_context_;
  Landing &landing_;
  const ServedFiles &files_;
  std::unique_ptr<Forwarder> forwarder_;
  AwaitedLists lists_;
  std::deque<QueuedCommand> entries_;
  size_t others_ = 0;  // of them, that are no puts
  size_t ahead_ = 0;   // so many of the first have all come: they may be many, and are not looked at again
  std::map<int64_t, std::shared_ptr<const Layout>> layouts_;
  Arrival *current_ = nullptr;  // of the put that is carried out
  bool barred_ = false;         // by a command that is carried out, and changes what files are
  bool finished_ = false;
};

}  // namespace sv
