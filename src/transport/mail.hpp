// Messages of any length that are sent without waiting, between models and servers.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "mpi/comm.hpp"

namespace sv {

using EncodedMessage = std::vector<std::byte>;

/// Messages to several ranks, in order for each of them. Synchronous sends: messages that are not received yet stay
/// here and are counted, so that nothing piles up unseen.
class Outbox {
 public:
  explicit Outbox(const Comm &comm) : comm_(comm) {}
  Outbox(const Outbox &) = delete;

  void post(int rank, int tag, EncodedMessage message);
  /// Local. Drops received messages.
  void progress();
  size_t waiting() const { return in_flight_.size(); }
  /// Local. Abandons messages that no rank will receive any more: the memory stays for good, for MPI may still look at
  /// it.
  void abandon();

 private:
  struct Sent {
    MPI_Request request;
    EncodedMessage message;
  };
  const Comm &comm_;
  std::deque<Sent> in_flight_;
};

/// Local. The next letter from a rank, if it has come.
std::optional<EncodedMessage> take_message(const Comm &comm, int rank, int tag);

}  // namespace sv
