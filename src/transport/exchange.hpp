// One stage of a plan, carried out: in rounds, ranks place their bytes into the slices of the writers on their node,
// and into their node's outgoing window for writers elsewhere; one message per (node, writer, round) carries the
// latter.
//
//   every rank, for each round k:   place(k) ─▶ collect(k) ─▶ (the sinks' ranks use their slices) ─▶ release(k)
//
// While the slices of one half are used, ranks already place the next round into the other half.
#pragma once

#include <string>
#include <vector>

#include "assemble/memory_view.hpp"
#include "plan/plan.hpp"
#include "transport/transfers.hpp"
#include "transport/window.hpp"

namespace sv {

/// Where a rank's bytes come from. Called for each of its patches and each sink, in the order of the sinks.
class Source {
 public:
  virtual ~Source() = default;
  /// Puts what `patch` has of `share` at its final place in the share's buffer.
  virtual void place(int sink, const Patch &patch, const Share &share, std::byte *to) = 0;
  /// Puts it at `to`, one row after the other.
  virtual void write_message(int sink, const Patch &patch, const Share &share, std::byte *to) = 0;
};

class Exchange {
 public:
  /// `plan`, `window` and `transfers` must outlive it; the latter is that of the whole call, all stages included, and
  /// is to be finished after the last round. Not collective; but all ranks of the plan make the same calls. `fill`: one
  /// element in file order, for cells nobody owns; nullptr where every cell has an owner or holes stay.
  Exchange(const Plan &plan, int stage, Window &window, Transfers &transfers, const std::byte *fill);

  void place(int round, Source &source);
  /// On ranks that own sinks: returns when everything for round `round` has arrived in their slices. Elsewhere: sends
  /// what this rank forwards, and returns.
  void collect(int round);
  /// Gives the slices of a round back.
  void release(int round);

  const std::vector<int> &own_sinks() const { return own_sinks_; }
  std::byte *slice(int sink, int round) const;
  int64_t placed_bytes() const { return placed_bytes_; }

 private:
  int64_t bytes_from(int node, int sink, int round) const;
  void place_remote(int round, Source &source);
  void receive(int round);
  void forward(int round);
  void unpack(int round);
  void fill_slices(int round);
  void free_half(int half, uint32_t sinks);
  std::byte *incoming_at(int sink, int round) const;
  const Stage &stage() const { return plan_.stages[static_cast<size_t>(stage_)]; }

  const Plan &plan_;
  const int stage_;
  Window &window_;
  const Node &node_;
  Transfers &transfers_;
  const std::byte *fill_;
  std::vector<int> own_sinks_, remote_sinks_;
  size_t forwarded_ = 0;  // of the remote ones: all, if this rank is the forwarder of its node
  std::vector<MPI_Request> receiving_[window_halves];
  int64_t placed_bytes_ = 0;
};

}  // namespace sv
