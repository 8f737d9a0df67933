// One stage of a schedule, carried out: in rounds, ranks place their bytes into the slices of the writers on their
// node, and into their node's outgoing window for writers elsewhere; one message per (node, writer, round) carries the
// latter.
//
// A slice that its writer has in memory as it is stays there: the writer uses it where it is.
//
//   every rank, for each round k:   place(k) ─▶ collect(k) ─▶ (the sinks' ranks use their slices) ─▶ release(k)
//
// While the slices of one half are used, ranks already place the next round into the other half.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "packing/schedule.hpp"
#include "packing/source.hpp"
#include "transport/gate.hpp"
#include "transport/message_layout.hpp"
#include "transport/slice_memory.hpp"
#include "transport/transfers.hpp"
#include "transport/window.hpp"

namespace sv {

class Exchange {
 public:
  /// `schedule`, `window` and `transfers` must outlive it; the latter is that of the whole call, all stages included,
  /// and is to be finished after the last round. Not collective; but all ranks of the schedule make the same calls.
  /// `rooms`: where slices stand; nullptr: in the halves of the window.
  Exchange(const Schedule &schedule, StagePlace place, Window &window, Transfers &transfers,
           SliceMemory *rooms = nullptr);

  void place(int round, Source &source);
  /// Instead of the three, for one round with all sinks on one rank: copies it. No signal goes to a writer or to
  /// others: the ranks meet in a gate before the slices are used, and again before the next call.
  void place_for_gate(Source &source);
  /// The data that ranks of this node have copied so for a writer of another node. Empty on all but the first of them.
  std::span<const std::byte> sent() const;
  /// On the writer, in the deed of the gate: puts what other nodes have sent into the slices.
  void take_sent(const Gate &gate);
  /// On ranks that own sinks: returns when everything for round `round` has arrived in their slices. Elsewhere: sends
  /// what this rank forwards, and returns.
  void collect(int round);
  /// Gives the slices of a round back.
  void release(int round);

  const std::vector<int> &own_sinks() const { return sinks_.own; }
  /// Of this rank, or where it places its part. It is only read where a source has lent it (Source::whole).
  std::byte *slice(int sink, int round) const;
  /// Whether slices are as Rooms::in_parts says: put_in_order makes the slice from its parts.
  bool in_parts() const { return rooms_ != nullptr && rooms_->in_parts(); }
  int64_t placed_bytes() const { return placed_bytes_; }

 private:
  int64_t bytes_from(int node, int sink, int round) const;
  int64_t bytes_before(int sink, int round) const;
  void place_here(int sink, int round, Source &source);
  void place_remote(int round, Source &source);
  void receive(int round);
  void forward(int round);
  void unpack(int round);
  bool prepares() const { return rooms_ != nullptr || schedule_.fills(); }
  void prepare(int round);
  void free_half(int half, uint32_t sinks);
  std::byte *incoming_at(int sink, int round) const;
  HalfState &state(int half) const { return window_.state(stage_.number, half); }
  Window::Targets &targets(int half) { return window_.targets(stage_.number, half); }

  const Schedule &schedule_;
  const StagePlace stage_;
  Window &window_;
  const Node &node_;
  Transfers &transfers_;
  SliceMemory *const rooms_;
  const SinkLists sinks_;
  size_t forwarded_ = 0;  // of the remote ones: all, if this rank is the forwarder of its node
  std::vector<MPI_Request> receiving_[window_halves];
  struct Lent {
    int sink, round;
    std::byte *begin;
  };
  std::vector<Lent> lent_;
  int64_t placed_bytes_ = 0;  // or lent
};

}  // namespace sv
