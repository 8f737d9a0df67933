// The messages of a gate between nodes: ballots, with the parcels that go with them. Used by the gate on the first rank
// of each node. Of the words of a ballot only those that it has travel: MPI moves short messages at once, and asks for
// longer ones first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mpi/comm.hpp"
#include "transport/node.hpp"
#include "transport/parcels.hpp"

namespace sv {

class GateMessages {
 public:
  explicit GateMessages(const Node &node) : node_(node) {}
  GateMessages(const GateMessages &) = delete;
  /// Messages that were never received stay for good.
  ~GateMessages();

  /// Pieces that travel with the next ballot, or have come with others: by rank, and by node.
  PackedPieces enclosed, sent;
  void clear();
  /// The pieces of a node, after `sent` was sorted.
  void sort_sent();
  std::span<const std::byte> sent_by(int node) const { return sent_by_[static_cast<size_t>(node)]; }

  /// Begins to send a ballot alone.
  void send(const Ballot &ballot, int rank);
  /// Begins to send a ballot with its payloads and sent data.
  void send_all(const Ballot &ballot, const std::vector<int> &to);
  /// Pending sends; forget_sent when all of them are complete.
  std::vector<MPI_Request> &sending() { return sending_; }
  void forget_sent();

  /// Begins to send the order of a root action to its rank, which is not this one, with its data; and the ballot of the
  /// result back.
  void send_deed(const Ballot &ballot, int rank);
  /// Whether the rank of the tree's root has asked for the deed.
  bool has_deed(int root) const;

  /// Begins to receive a ballot; `of_deed`: one that send_deed sends.
  MPI_Request receive(int rank, bool of_deed = false);
  /// The one that has come, and below what came with it.
  Ballot received(bool of_deed = false) const;
  void take_received(bool of_deed = false);

 private:
  void begin(int rank, int tag, const std::vector<std::byte> &message);
  std::vector<std::byte> &packed(Ballot ballot, std::span<const std::byte> enclosures,
                                 std::span<const std::byte> pieces);
  int64_t most_bytes() const;

  const Node &node_;
  std::vector<std::span<const std::byte>> sent_by_;
  std::vector<MPI_Request> sending_;
  std::vector<std::vector<std::byte>> outbox_;
  std::array<std::unique_ptr<std::byte[]>, 2> inboxes_;  // of deeds too: the deed comes while the verdict is awaited
};

}  // namespace sv
