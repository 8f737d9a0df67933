// A client's side of transfers to servers: copies its part of every round, packed and in final order, into the memory
// of the servers of its node, and for other servers into the node's outgoing memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "base/thread.hpp"
#include "plan/plan.hpp"
#include "transport/distribution.hpp"
#include "transport/exchange.hpp"
#include "transport/forwarder.hpp"
#include "transport/link.hpp"
#include "transport/ring_mapping.hpp"

namespace sv {

/// Bytes of a sink's slice in a round.
int64_t slice_bytes(const Plan &plan, int sink, int round);

class HandOver {
 public:
  struct Options {
    bool synchronous;  // data leave the node in carry(), except a little, which has left after end_step()
    Pace pace;
  };
  HandOver(const Link &link, int component, const Options &options);
  HandOver(const HandOver &) = delete;

  /// The number of the next round: the same on all clients, which all make the same calls.
  int64_t next_round() const { return rounds_ + 1; }
  /// All rounds of a plan of one stage, whose sinks are on servers. Waits where memory is full. Returns when this
  /// rank's part is placed; the caller's array is free then.
  void carry(const Plan &plan, Source &source);
  /// The reverse: the parts of `target` of all rounds of a plan whose sinks are servers that read. Waits for them.
  void fetch(const Plan &plan, Target &target);
  /// Calls it now and then: sends what it can, where calls into the library do that.
  void progress();
  /// The step ends, or a file is closed: the model may now compute for long.
  void end_step();
  /// Waits until all that leaves this node so far has left it.
  void finish();

  Driver driver() const { return driver_; }
  bool sends() const { return forwarder_ != nullptr; }
  double waited_seconds() const { return waited_seconds_; }
  int64_t placed_bytes() const { return placed_bytes_; }
  int64_t messages() const { return forwarder_ == nullptr ? 0 : forwarder_->messages(); }
  int64_t message_bytes() const { return forwarder_ == nullptr ? 0 : forwarder_->message_bytes(); }

 private:
  void place_here(const Plan &plan, const Schedule &schedule, int round, Source &source);
  void place_for_others(const Schedule &schedule, int round, Source &source);
  void take_here(const Plan &plan, const Schedule &schedule, int round, Target &target);
  void take_from_others(const Schedule &schedule, int round, Target &target);
  void receive(const Schedule &schedule, int round, int64_t position);
  int64_t bytes_before(const Schedule &schedule, int sink, int round) const;
  int64_t gone() const { return link_.memory().parcels_gone(component_).load(std::memory_order_acquire); }
  void await(const Link::Waiting &waiting);
  void await_sent(int64_t bytes);
  void run_thread(const std::stop_token &stop);

  const Link &link_;
  const int component_;
  const Options options_;
  const std::vector<int> clients_;  // of this node and component
  bool remote_ = false;             // there are servers on other nodes
  std::map<int, RingPlaces> places_;
  RingPlaces outgoing_;
  int64_t rounds_ = 0, pushed_ = 0;
  Driver driver_ = Driver::calls;
  std::unique_ptr<Forwarder> forwarder_;
  RingMapping mapping_;  // of the rings that it places into
  double waited_seconds_ = 0;
  int64_t placed_bytes_ = 0;
  Thread thread_;
};

/// The sender for the clients of a component on a node: a server of the node, or the lowest of the clients.
int sender_of(const Link &link, int component, int node, bool synchronous);

}  // namespace sv
