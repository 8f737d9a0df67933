// Measures how long a core works for one rank while others wait: all ranks compute at once and look at the clock.
#include <mpi.h>

#include <vector>

#include "probe.hpp"

namespace sv_probe {

namespace {

constexpr double computing_seconds = 0.1;
constexpr double turned_away_seconds = 0.5e-3;  // a gap of so much is the turn of others, and no interrupt

/// The turns of this rank that began and ended while it computed.
Samples turns_of_core() {
  Samples turns;
  const double begin = now();
  double last = begin, came = 0;  // since when it has the core; 0: since before it began
  while (last < begin + computing_seconds) {
    const double time = now();
    if (time - last > turned_away_seconds) {
      if (came > 0) turns.push_back(last - came);
      came = time;
    }
    last = time;
  }
  return turns;
}

}  // namespace

void measure_turns(Bench &bench, Measured &measured) {
  Team &team = bench.team;
  if (team.ranks_on_first_node() <= team.cores_per_node()) return;
  Samples turns;
  team.time({team.size()}, [&](int place) {
    Samples own = turns_of_core();
    if (place == 0) turns = std::move(own);
  });
  double turn = turns.empty() ? 0 : median(turns);
  MPI_Bcast(&turn, 1, MPI_DOUBLE, 0, team.comm());
  if (turn > 0) measured.core_turn.push_back(turn);
}

}  // namespace sv_probe
