// A client's messages to servers. Of a component, one client sends the commands of a server; all make the same calls,
// and each posts the messages for its servers.
#pragma once

#include <functional>
#include <vector>

#include "file/context.hpp"
#include "servers/protocol.hpp"
#include "transport/hand_over.hpp"
#include "transport/link.hpp"
#include "transport/mail.hpp"

namespace sv {

class Mailing {
 public:
  /// Both must outlive it.
  Mailing(Link &link, HandOver &hand_over);

  const int component;
  const std::vector<int> mine;  // servers to which this rank sends commands

  void to_group(int group, const Command &command);
  void to_all(const Command::What &what);
  /// Waits where a server has not taken many letters yet.
  void post(int server, int tag, const EncodedMessage &message);
  /// Does what fails on this rank alone: the link has failed then. Nothing, where it has failed before.
  void attempt(const std::function<void()> &action) const;
  /// Local, never blocks. Sends what it can, data too.
  void progress();
  /// Local. No more messages follow. After a failure the servers receive a message about it, wherever they are.
  void leave();

 private:
  Link &link_;
  HandOver &hand_over_;
  Outbox outbox_;
};

}  // namespace sv
