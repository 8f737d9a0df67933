#include <algorithm>

#include "probe.hpp"

namespace sv_probe {

namespace {

constexpr int pings = 100, agreements = 50, chunk_bytes = 1 << 20, chunks_sent = 16, message_tag = 7;

// Of a message of 8 bytes, one way, between the two ranks of the pair.
double latency_of_pair(Team &team) {
  const MPI_Comm pair = team.of({2});
  const Seconds seconds = team.time({2}, [pair](int place) {
    int64_t word = 0;
    for (int i = 0; i < pings; ++i) {
      if (place == 0) MPI_Send(&word, 1, MPI_INT64_T, 1, message_tag, pair);
      MPI_Recv(&word, 1, MPI_INT64_T, 1 - place, message_tag, pair, MPI_STATUS_IGNORE);
      if (place == 1) MPI_Send(&word, 1, MPI_INT64_T, 0, message_tag, pair);
    }
  });
  return seconds.longest / (2 * pings);
}

// Each rank of the first half sends to one of the second.
double rate_of_pairs(Bench &bench, int pairs) {
  Team &team = bench.team;
  // The first nodes have `pairs` ranks each; a single pair is as far apart as there is.
  const Part part{2 * pairs, pairs > 1};
  const MPI_Comm comm = team.of(part);
  const Seconds seconds = team.time(part, [&](int place) {
    const bool sends = place < pairs;
    for (int i = 0; i < chunks_sent; ++i) {
      if (sends) MPI_Send(bench.data.data(), chunk_bytes, MPI_BYTE, place + pairs, message_tag, comm);
      if (!sends)
        MPI_Recv(bench.data.data(), chunk_bytes, MPI_BYTE, place - pairs, message_tag, comm, MPI_STATUS_IGNORE);
    }
  });
  return static_cast<double>(pairs) * chunks_sent * chunk_bytes / seconds.longest;
}

}  // namespace

void measure_messages(Bench &bench, Measured &measured) {
  Team &team = bench.team;
  if (team.size() < 2) return;
  measured.message_seconds.push_back(latency_of_pair(team));
  const int on_first = team.ranks_on_first_node();
  measured.message_pairs = team.pair_crosses_nodes() && 2 * on_first <= team.size() ? on_first : 1;
  measured.message_rate.push_back(rate_of_pairs(bench, measured.message_pairs));
}

void measure_agreements(Bench &bench, Measured &measured) {
  for (const int ranks : bench.team.counts()) {
    const MPI_Comm comm = bench.team.of({ranks});
    const Seconds seconds = bench.team.time({ranks}, [comm](int /*place*/) {
      int word = 0;
      for (int i = 0; i < agreements; ++i) MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_MAX, comm);
    });
    measured.agreement[ranks].push_back(seconds.longest / agreements);
  }
}

}  // namespace sv_probe
