// The command that is traced: what it is started with, and its end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sv_trace_tool {

struct Tracing {
  std::string directory;  // absolute
  int64_t memory_bytes;   // of the events of each process
  std::vector<std::string> patterns;
};

/// The name of the program, which a launcher may start: "ocean" of "mpiexec -n 4 ./ocean".
std::string program_name(const std::vector<std::string> &command);

/// Starts it, waits for it, and returns its exit status; 128 + the signal that ended it. SIGTERM is passed on to it.
/// Throws std::runtime_error where it cannot be started.
int run_traced(std::vector<std::string> command, const Tracing &tracing);

/// The folder that this program is in.
std::string own_folder();

}  // namespace sv_trace_tool
