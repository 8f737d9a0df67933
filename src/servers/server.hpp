// The server's side: a rank that writes the puts of models, while they compute (Huang et al. 2013).
//
//   commands ─▶ streams (one of each component) ─▶ carried out in order: files, puts, ends of steps
//   rounds   ─▶ arrivals (ahead of their command) ─▶ writer ─▶ file
//
// All servers of a group carry out the same commands in the same order, as ranks of a context of their own: this class
// selects the next command, and ends the work. command_executor.hpp carries a command out.
#pragma once

#include <deque>
#include <optional>

#include "servers/component.hpp"

namespace sv {

class Server {
 public:
  /// Collective over the servers of a group. `link` and `calls` must outlive it.
  Server(Link &link, const Settings &settings, Comm group, FileCalls &calls);
  Server(const Server &) = delete;

  /// Until all components have finalized, or have ended otherwise: then arrived data are written, and complete steps
  /// are committed. Returns the error of data that could not be written, if any.
  std::optional<Error> run();

 private:
  void progress();
  void hear_of_loss();
  int64_t progress_count() const;
  Component *next_component();
  bool has_ended() const { return server_context_.orphaned || server_context_.link.has_failed(); }
  void leave_orphans();

  ServerContext server_context_;
  std::deque<Component> components_;
  size_t turn_ = 0;  // of the components
};

}  // namespace sv
