// Whether what a workload asks for fits on this machine: refused before anything is allocated.
#pragma once

#include <cstdint>
#include <string>

#include "team.hpp"

namespace sv_bench {

struct Need {
  int64_t memory_bytes;  // of this rank
  int64_t file_bytes;    // of all ranks together, in the directory
};

/// Collective. Throws std::invalid_argument, on all ranks alike, where the ranks of a node need more memory than is
/// free there, or the files more than is free in the directory; `advice` ends the message.
void require_room(const Team &team, const Need &need, const std::string &directory, const std::string &advice);

}  // namespace sv_bench
