// Whether a run writes after its calls: through servers, or through threads.
#pragma once

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/check.hpp"

namespace svtest {

/// Local. `options`: those of sv_init, "key=value".
inline bool writes_later(sv_context *io, const std::vector<std::string> &options) {
  int servers = 0;
  SV_MUST(sv_inq_servers(io, &servers));
  return servers > 0 || std::count(options.begin(), options.end(), "async=threads") > 0;
}

/// In place of MPI_Init: with the level that a writing thread of a rank needs.
inline void begin_with_threads(int &argc, char **&argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  require(level >= MPI_THREAD_FUNNELED, "MPI allows no threads");
}

}  // namespace svtest
