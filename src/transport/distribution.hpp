// A plan carried out backwards, for reading: the sinks' ranks read whole ranges into their slices; the ranks of their
// node take their parts out of them, and one message per (node, reader, round) carries the parts of the ranks
// elsewhere.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "plan/plan.hpp"
#include "transport/transfers.hpp"
#include "transport/window.hpp"

namespace sv {

/// Where a rank's bytes go. Called for each of its patches and each sink, in the order of the sinks.
class Target {
 public:
  virtual ~Target() = default;
  /// Takes what `patch` has of `share` out of the share's buffer.
  virtual void take(const Patch &patch, const Share &share, const std::byte *from) = 0;
  /// Takes it from `from`, where it lies one row after the other.
  virtual void read_message(const Patch &patch, const Share &share, const std::byte *from) = 0;
};

class Distribution {
 public:
  /// `plan` has one stage; it, `window` and `transfers` must outlive this. `transfers` is to be finished after the last
  /// round.
  Distribution(const Plan &plan, Window &window, Transfers &transfers);

  /// All ranks, for each round. `read(sink, share, slice)` fills a slice, on the rank of the sink; it must not throw.
  void round(int round, const std::function<void(const Share &, std::byte *)> &read, Target &target);

 private:
  void expect(int round);
  void read_own(int round, const std::function<void(const Share &, std::byte *)> &read);
  void send(int sink, int round, const Share &share, const std::byte *slice);
  void take(int round, Target &target);
  const Stage &stage() const { return plan_.stages.front(); }
  std::byte *slice(std::byte *area, int sink) const;

  const Plan &plan_;
  Window &window_;
  const Node &node_;
  Transfers &transfers_;
  std::vector<int> own_sinks_, remote_sinks_;
  // By half: what this rank has sent from it, and how much of that is through.
  std::array<uint32_t, window_halves> sent_{};
  std::array<std::atomic<uint32_t>, window_halves> through_{};
};

}  // namespace sv
