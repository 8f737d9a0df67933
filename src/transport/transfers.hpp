// Pending messages of one rank. Sends do not progress by themselves, so every wait in a call keeps all of the call's
// messages moving.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "transport/node.hpp"

namespace sv {

/// To or from a rank.
struct Message {
  int rank, tag;
  int64_t bytes;
};

/// Signals that a message is complete: `counter` is advanced by one; it is awaited at `target`. nullptr: no signal.
struct Signal {
  Counter *counter = nullptr;
  uint32_t target = 0;
};

class Transfers {
 public:
  /// `node` and `doing` must outlive this. `doing` says for which call, "writing 'sst' of 'ocean.nc'", for messages.
  /// Where a call is left by an exception, messages may still be under way: the node is then poisoned, and its memory
  /// stays for good.
  Transfers(const Node &node, std::string_view doing) : node_(node), doing_(doing) {}
  Transfers(const Transfers &) = delete;

  /// Begin. The bytes must stay until the message is through.
  void send(const std::byte *from, const Message &message, const Signal &signal);
  void receive(std::byte *to, const Message &message, const Signal &signal);

  /// Wait: for a counter, for a message that somebody else began, for all messages begun here; these move on meanwhile.
  /// After the limit of the watchdog, the node is given up: Error(timeout), which says that `whom` was awaited.
  void wait(Counter &counter, uint32_t target, std::string_view whom);
  void wait(MPI_Request &request, std::string_view whom);
  void finish(std::string_view whom);

  int64_t sent() const { return sent_; }
  int64_t sent_bytes() const { return sent_bytes_; }

 private:
  struct Transfer {
    MPI_Request request;
    Signal signal;
  };
  void progress();
  [[noreturn]] void give_up(std::string_view whom) const;

  const Node &node_;
  const std::string_view doing_;
  std::vector<Transfer> in_flight_;
  int64_t sent_ = 0, sent_bytes_ = 0;
};

}  // namespace sv
