// Common code of the peers' programs: the file of a growing output, opened once and written record by
// record, and the promises that users expect of its calls. Arguments: steps=8 sync=K (after every Kth record; 0:
// never), promise=WORD (nothing), and sizes.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "mark.hpp"
#include "truth.hpp"

namespace svcrash {

/// The variables of the file, by the numbers of the peer's library.
struct PeerFile {
  int id = -1, time = -1, depth = -1, temp = -1, flag = -1, small = -1;
};

struct Peer {
  Peer(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) words.emplace_back(argv[i]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    sizes = {number("nz", 2), number("ny", 6), number("nx", 20), static_cast<int>(number("texts", 4))};
    steps = number("steps", 8);
    sync_every = number("sync", 0);
    first_row = sizes.ny * rank / ranks;
    rows = sizes.ny * (rank + 1) / ranks - first_row;
    say("sizes " + std::to_string(sizes.nz) + " " + std::to_string(sizes.ny) + " " + std::to_string(sizes.nx) + " " +
        std::to_string(sizes.texts));
    promise("nothing");
    say("version " + file + " 0 0 -1");
  }
  int64_t number(const std::string &key, int64_t otherwise) const {
    for (const std::string &word : words)
      if (word.rfind(key + "=", 0) == 0) return std::atoll(word.c_str() + key.size() + 1);
    return otherwise;
  }
  void promise(const std::string &word) const { say("file " + file + " growing " + word + " 0 0"); }
  /// The promise of the arguments holds from the first sync on.
  void promise_from_now() const {
    const std::string key = "promise=";
    for (const std::string &word : words)
      if (word.starts_with(key)) promise(word.substr(key.size()));
  }
  void say(const std::string &line) const {
    if (rank == 0) mark(line);
  }
  /// `begin`, `committed` or `durable`, with so many records.
  void say(const std::string &what, int64_t records) const { say(what + " " + file + " 0 " + std::to_string(records)); }
  bool syncs_after(int64_t step) const { return sync_every > 0 && (step + 1) % sync_every == 0; }

  std::vector<double> depth() const { return block(var_depth, 1, 0); }
  std::vector<double> temp(int64_t step) const { return block(var_temp, sizes.nz, step); }
  std::vector<double> block(int variable, int64_t levels, int64_t step) const {
    std::vector<double> values;
    for (int64_t z = 0; z < levels; ++z)
      for (int64_t cell = first_row * sizes.nx; cell < (first_row + rows) * sizes.nx; ++cell)
        values.push_back(truth({}, variable, step, z * sizes.ny * sizes.nx + cell));
    return values;
  }

  const std::string file = "growing.nc";
  std::vector<std::string> words;
  Sizes sizes;
  int rank = 0, ranks = 1;
  int64_t steps = 0, sync_every = 0, first_row = 0, rows = 0;
};

/// A whole run, by the calls of a library: define, put_depth, put_record, sync, close.
template <typename Library>
int run_peer(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const Peer peer(argc, argv);
  peer.say("begin", peer.steps);
  const PeerFile out = Library::define(peer);
  Library::put_depth(peer, out);
  for (int64_t step = 0; step < peer.steps; ++step) {
    Library::put_record(peer, out, step);
    if (!peer.syncs_after(step)) continue;
    Library::sync(out);
    peer.promise_from_now();
    peer.say("committed", step + 1);
    peer.say("durable", step + 1);
  }
  peer.say("closing", peer.steps);
  Library::close(out);
  peer.say("committed", peer.steps);
  MPI_Finalize();
  return 0;
}

[[noreturn]] inline void peer_failed(const char *call, const char *why) {
  std::fprintf(stderr, "%s: %s\n", call, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

}  // namespace svcrash
