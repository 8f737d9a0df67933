// The environment of a traced command.
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

/// Adds the tracer, and the variables that it and the library read.
void add_tracing(Launch &launch, const Tracing &tracing);

/// Makes a folder for traces, or takes one that is empty; with `force`, traces in it are removed. Returns its absolute
/// name. Throws std::runtime_error.
std::string made_folder(const std::string &path, bool force);

/// Has `sverdrup report` write its report of a folder of traces to a file; says on stderr where that fails.
void make_report(const std::string &tool, const std::string &directory, const std::string &report);

}  // namespace sv_tools
