// The speed-up model of Huang et al. 2013, section 3.2: the gain of servers, from the measured seconds of a run. The
// summary shows it for runs with servers. Pure arithmetic.
#pragma once

namespace sv {

/// Seconds of a whole run: of the model between calls into the library (mean over its ranks) and inside them (the
/// largest); of servers receiving and writing (the largest); from sv_init to the end of sv_finalize.
struct OverlapTimes {
  double compute = 0, send = 0, receive = 0, write = 0, wall = 0;
  int servers = 0;
};

struct SpeedUp {
  double predicted = 1;  // equation 3: (compute + write) / max(compute + send, receive + write), by equations 1 and 2
  double achieved = 1;   // (compute + write) / wall
  double bound = 1;      // equation 4: 1 + write / compute
  int enough = 0;        // servers that would hide receiving and writing, if they share it evenly
};
SpeedUp speed_up(const OverlapTimes &times);

}  // namespace sv
