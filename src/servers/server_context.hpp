// A server's context: the link to the models, the context of the servers that carry out the same commands, and the
// thread that writes. Every unit that carries out commands has one, and waits by it: while a server waits, it continues
// to receive.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/worker.hpp"
#include "delivery/slab_writing.hpp"
#include "file/context.hpp"
#include "servers/file_calls.hpp"
#include "transport/link.hpp"
#include "transport/mail.hpp"

namespace sv {

class ServerContext {
 public:
  /// Collective over the servers of a group. `link` and `calls` must outlive it.
  ServerContext(Link &link, const Settings &settings, Comm group, FileCalls &calls);
  ServerContext(const ServerContext &) = delete;
  /// Local. The work that continues while it waits, here or in a gate.
  void while_waiting(std::function<void()> progress);

  /// Waits until look() holds. False when the models have ended.
  bool await(const std::function<bool()> &look, const char *doing, trace::Doing as = trace::Doing::idle);
  /// The same, for messages.
  bool await_messages(const std::function<bool()> &look, const char *doing);
  /// All that has arrived is written.
  void drain();
  /// A message to the other servers of the group.
  void announce(int tag, const EncodedMessage &message);

  Link &link;
  const Settings settings;
  FileCalls &calls;
  const std::vector<int> &group;  // ranks of the link
  Context context;
  Ordering ordering;
  Worker writer;  // destroyed before the members that it uses
  SlabWriting writing;
  Outbox outbox;
  bool orphaned = false;        // the models have ended without saying so
  std::optional<Error> lost;    // the first thing that could not be written
  int64_t carried = 0;          // commands and rounds so far
  int64_t most_held_bytes = 0;  // that a component has had in the ring
  double inline_seconds = 0;    // in which this rank itself wrote

 private:
  bool await(Link::Waiting waiting);

  std::function<void()> progress_;
};

}  // namespace sv
