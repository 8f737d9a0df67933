// Checks of the MPI tests. A rank whose check fails reports it and ends the whole job, since other ranks may wait for
// it; before that, it leaves them time to report failures of their own.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "sverdrup/sverdrup.h"

namespace svtest {

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

/// How long a rank that has failed waits before it ends the job.
constexpr std::chrono::seconds grace{2};

[[noreturn]] inline void give_up(const std::string &description) {
  int parallel = 0;
  MPI_Initialized(&parallel);
  std::fprintf(stderr, "FAILED on rank %d: %s\n", parallel != 0 ? rank_in(MPI_COMM_WORLD) : 0, description.c_str());
  std::fflush(stderr);
  if (parallel != 0) {
    if (size_of(MPI_COMM_WORLD) > 1) std::this_thread::sleep_for(grace);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  std::_Exit(1);
}

inline void require(bool holds, const std::string &description) {
  if (!holds) give_up(description);
}

/// Collective: rank 0 acts alone, before any rank goes on.
template <class Action>
void at_root(Action action) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) action();
  MPI_Barrier(MPI_COMM_WORLD);
}

inline void ok(int status, const std::string &call) {
  if (status != SV_OK) give_up(call + " returned " + sv_strerror(status) + ": " + sv_message());
}

/// Collective over `comm`.
inline sv_context *start(MPI_Comm comm, const std::vector<std::string> &options) {
  std::vector<const char *> texts;
  for (const std::string &option : options) texts.push_back(option.c_str());
  sv_context *io = nullptr;
  ok(sv_init(comm, nullptr, static_cast<int>(texts.size()), texts.data(), &io), "sv_init");
  return io;
}

}  // namespace svtest

#define SV_MUST(call) ::svtest::ok((call), #call)
