// What a command is started with that is traced.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launching.hpp"

namespace sv_tools {

struct Tracing {
  std::string directory;  // absolute
  int64_t memory_bytes;   // of the events of each process
  std::vector<std::string> patterns;
};

/// Adds the tracer, and what it and the library look for.
void add_tracing(Launch &launch, const Tracing &tracing);

}  // namespace sv_tools
