// A schedule carried out backwards, for reading: the sinks' ranks read whole ranges into their slices; the ranks of
// their node take their parts out of them, and one message per (node, reader, round) carries the parts of the ranks
// elsewhere.
#pragma once

#include <functional>
#include <vector>

#include "packing/schedule.hpp"
#include "packing/source.hpp"
#include "transport/message_layout.hpp"
#include "transport/transfers.hpp"
#include "transport/window.hpp"

namespace sv {

class Distribution {
 public:
  /// `schedule` has one stage; it, `window` and `transfers` must outlive this. `transfers` is to be finished after the
  /// last round.
  Distribution(const Schedule &schedule, const StagePlace &place, Window &window, Transfers &transfers);

  /// Fills a slice, on the rank of the sink; must not throw. False where there is nothing in this round.
  using Read = std::function<bool(int sink, int round, std::byte *slice)>;
  /// All ranks, for each round.
  void round(int round, const Read &read, Target &target);

  const std::vector<int> &own_sinks() const { return sinks_.own; }

 private:
  void expect(int round);
  void read_own(int round, const Read &read);
  void send(int sink, int round, const std::byte *slice);
  void take(int round, Target &target);
  void free_half(int half, uint32_t users);
  /// To the other nodes, in a round.
  uint32_t messages_of(size_t sinks) const {
    if (schedule_.is_at_home()) return 0;
    return static_cast<uint32_t>(sinks * (node_.topology().ranks_of.size() - 1));
  }
  std::byte *slice(int sink, int round) const {
    return window_.slices(place_, round % window_halves) + schedule_.slice_begin(sink, round);
  }

  const Schedule &schedule_;
  const StagePlace place_;
  Window &window_;
  const Node &node_;
  Transfers &transfers_;
  const SinkLists sinks_;
};

}  // namespace sv
