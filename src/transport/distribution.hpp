// A plan carried out backwards, for reading: the sinks' ranks read whole ranges into their slices; the ranks of their
// node take their parts out of them, and one message per (node, reader, round) carries the parts of the ranks
// elsewhere.
#pragma once

#include <functional>
#include <vector>

#include "plan/plan.hpp"
#include "transport/exchange.hpp"
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
  /// `plan` has one stage; it and `window` must outlive this.
  Distribution(const Plan &plan, Window &window);

  /// All ranks, for each round. `read(sink, share, slice)` fills a slice, on the rank of the sink; it must not throw.
  void round(int round, const std::function<void(const Share &, std::byte *)> &read, Target &target);
  /// After the last round.
  void finish();

  const ExchangeCounters &counters() const { return counters_; }

 private:
  void expect(int round);
  void read_own(int round, const std::function<void(const Share &, std::byte *)> &read);
  void send(int sink, int round, const Share &share, const std::byte *slice);
  void take(int round, Target &target);
  void progress();
  bool idle() const { return receiving_.empty() && sending_.empty(); }
  void wait(std::atomic<uint32_t> &counter, uint32_t target);
  const Stage &stage() const { return plan_.stages.front(); }
  std::byte *slice(std::byte *area, int sink) const;

  struct Transfer {
    MPI_Request request;
    int half;
  };
  const Plan &plan_;
  Window &window_;
  const Node &node_;
  std::vector<int> own_sinks_, remote_sinks_;
  std::vector<Transfer> receiving_, sending_;
  ExchangeCounters counters_;
};

}  // namespace sv
