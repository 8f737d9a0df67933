// Messages of any length that are sent without waiting: what models tell servers, and servers models.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "mpi/comm.hpp"

namespace sv {

using EncodedMessage = std::vector<std::byte>;

/// Letters to several ranks, in order for each of them. Synchronous sends: what the other side has not taken yet
/// stays here and is counted, so that nothing piles up where it is not seen.
class Outbox {
 public:
  explicit Outbox(const Comm &comm) : comm_(comm) {}
  Outbox(const Outbox &) = delete;

  void post(int rank, int tag, EncodedMessage message);
  /// Local. Forgets what was taken.
  void progress();
  size_t waiting() const { return under_way_.size(); }
  /// Local. Lets go of what nobody will take any more: the memory stays for good, for MPI may still look at it.
  void abandon();

 private:
  struct Sent {
    MPI_Request request;
    EncodedMessage message;
  };
  const Comm &comm_;
  std::deque<Sent> under_way_;
};

/// Local. The next letter from a rank, if it has come.
std::optional<EncodedMessage> take_message(const Comm &comm, int rank, int tag);

}  // namespace sv
