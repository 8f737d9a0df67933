// A server's side of transfers to models: one get, whose rounds leave the server's ring. Clients of the node take their
// parts themselves; other nodes receive one message for each round.
#pragma once

#include <deque>
#include <vector>

#include "transport/arrival.hpp"
#include "transport/mail.hpp"

namespace sv {

class Departure {
 public:
  /// As for Arrival.
  Departure(Landing &landing, Plan plan, int64_t first_round);
  Departure(const Departure &) = delete;

  const Plan &plan() const { return plan_; }
  /// Places for the next round, if there is room; they are to be filled before depart(). Local, never blocks.
  bool begin();
  const std::vector<Landing::Slice> &slices() const { return slices_; }
  /// The round that was begun may be taken.
  void depart();
  /// Local, never blocks. Frees data that all clients have taken; true when nothing is left.
  bool progress();

 private:
  void send(const Landing::Slice &slice);

  Landing &landing_;
  const Plan plan_;
  const int64_t first_round_;
  int round_ = 0;
  bool reserved_ = false;
  std::vector<Landing::Slice> slices_;
  struct Leaving {
    int64_t round;  // of the component
    std::vector<int64_t> numbers;
  };
  std::deque<Leaving> leaving_;
  Outbox sent_;
};

}  // namespace sv
