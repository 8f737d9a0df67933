// Common code of tests of the messages to servers, which have a link under MPI, and no context.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "transport/link.hpp"

namespace sv::test {

[[noreturn]] inline void give_up(const std::string &description) {
  std::fprintf(stderr, "FAILED: %s\n", description.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

/// Calls `action` with a link of all ranks.
template <typename Action>
void with_link(const LinkOptions &options, Crew crew, Action action) {
  MPI_Init(nullptr, nullptr);
  try {
    Comm comm = Comm::duplicate(MPI_COMM_WORLD);
    Link link(comm, options);
    link.man(std::move(crew));
    action(link);
    link.free();
    comm.free();
  } catch (const std::exception &error) {
    give_up(error.what());
  }
  MPI_Finalize();
}

}  // namespace sv::test
