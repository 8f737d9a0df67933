// The janitor of this process, which removes files outside --dir when the process has ended.
#pragma once

#include "support/janitor.hpp"

namespace sv_bench {

/// main calls it first before MPI_Init, since it starts a process.
inline sv_tools::Janitor &janitor() {
  static sv_tools::Janitor one;
  return one;
}

}  // namespace sv_bench
