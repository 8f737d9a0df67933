// A server's side of the way from models: one put, whose rounds come into the server's ring. Clients of the node place
// their parts by themselves; what other nodes send is received here, and unpacked to its places.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "assemble/point_schedules.hpp"
#include "transport/link.hpp"
#include "transport/ring_release.hpp"

namespace sv {

/// What a server keeps for the clients of one component.
struct Landing {
  Landing(const Link &link, int of_component, bool synchronous);
  const int component;
  const Ring ring;
  RingPlaces places;
  RingRelease release;
  std::vector<int> senders;       // by node: who sends for its clients; −1 where there are none
  std::vector<int> clients_here;  // of this node
  double receive_seconds = 0;     // receiving and unpacking
  int64_t received_bytes = 0, messages = 0;
};

class Arrival {
 public:
  /// `plan`: of one stage. Its rounds have the numbers from `first_round` on. Puts of a component arrive in order.
  Arrival(const Link &link, Landing &landing, Plan plan, int64_t first_round);
  Arrival(const Arrival &) = delete;

  const Plan &plan() const { return plan_; }
  /// Local, never blocks. Receives what has come, as far as there is room.
  void progress();
  /// How many rounds are complete.
  int arrived() const { return arrived_; }
  bool is_complete() const { return arrived_ == plan_.rounds; }
  /// What this server has of a round that has arrived: the sinks, and their slices. done(number) gives one back.
  struct Slice {
    int sink;
    std::byte *values;
    int64_t bytes, number;
  };
  const std::vector<Slice> &slices(int round) const { return rounds_[static_cast<size_t>(round)]; }

 private:
  void reserve();
  bool begin();
  bool receive();
  bool is_placed() const;

  const Link &link_;
  Landing &landing_;
  const Plan plan_;
  const std::unique_ptr<Schedule> schedule_;
  const int64_t first_round_;
  std::vector<int> own_;                    // sinks
  std::vector<std::vector<Slice>> rounds_;  // those that have a place
  int64_t end_ = 0;                         // of the round that is coming, in the ring
  int arrived_ = 0;
  bool begun_ = false;
  struct Coming {
    int sink, node;
    MPI_Request request;
    std::vector<std::byte> body;
  };
  std::deque<Coming> coming_;
};

}  // namespace sv
