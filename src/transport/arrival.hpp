// A server's side of transfers from models: one put, whose rounds come into the server's ring. Clients of the node copy
// their parts themselves. The server receives data of other nodes, and unpacks them to their positions or, for slices
// in parts, appends them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "packing/point_schedules.hpp"
#include "transport/link.hpp"
#include "transport/ring_pages.hpp"
#include "transport/ring_release.hpp"

namespace sv {

/// A server's data for the clients of one component.
struct Landing {
  Landing(const Link &link, int of_component, bool synchronous);
  /// This server's part of a round of a plan in its ring: a sink, and its slice. release.done(number) gives it back.
  struct Slice {
    int sink;
    std::byte *values;
    int64_t bytes, number;
  };
  /// Places for the next round, in the order in which the clients of this node take them; and whether they have room.
  std::vector<Slice> reserve(const Plan &plan, int round);
  bool has_room() const { return ring.has_room(places.end()); }
  /// Whether the clients of this node have placed, or taken, their parts of a round of the component.
  bool is_placed(int64_t round) const { return link.memory().have_placed(clients_here, round); }

  const Link &link;
  const int component;
  const int command_source;  // the client that sends commands to this server
  const Ring ring;
  RingPlaces places;
  RingRelease release;
  RingPages pages;                // made from when models have left sv_init
  std::vector<int> senders;       // by node: the sender for its clients; −1 if there are none
  std::vector<int> clients_here;  // of this node
  double receive_seconds = 0;     // receiving and unpacking
  int64_t received_bytes = 0, messages = 0;
};

class Arrival {
 public:
  /// `plan`: of one stage. Its rounds have the numbers from `first_round` on. Puts of a component arrive in order.
  Arrival(Landing &landing, Plan plan, int64_t first_round);
  Arrival(const Arrival &) = delete;

  const Plan &plan() const { return plan_; }
  /// Local, never blocks. Receives arrived data, as far as there is room.
  void progress();
  /// How many rounds are complete.
  int arrived() const { return arrived_; }
  bool is_complete() const { return arrived_ == plan_.rounds; }
  /// Of a round that has arrived.
  using Slice = Landing::Slice;
  /// Whether the slices of a sink stand in parts, which transport/message_layout.hpp puts in order.
  bool in_parts(int sink) const;
  const std::vector<Slice> &slices(int round) const { return rounds_[static_cast<size_t>(round)]; }

 private:
  bool begin();
  bool receive();

  Landing &landing_;
  const Plan plan_;
  const std::unique_ptr<Schedule> schedule_;
  const int64_t first_round_;
  std::vector<std::vector<Slice>> rounds_;  // those that have a place
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
