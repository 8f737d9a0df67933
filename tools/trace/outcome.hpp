// The results of a traced command.
#pragma once

#include <cstdint>
#include <string>

namespace sv_trace_tool {

struct Outcome {
  int64_t processes = 0, killed = 0;
  int64_t calls = 0;    // all of them
  int64_t wrapped = 0;  // processes whose oldest calls are kept in totals only
  int64_t lost = 0;     // calls kept in totals only, since the disk was full
};

/// Reads what the tracer left in a folder, and removes those of processes that recorded nothing. Files that are no
/// traces are left alone.
Outcome gathered(const std::string &directory);

/// "sv-trace: 4 processes, 1234 calls, in DIRECTORY", and further remarks.
std::string sentence(const Outcome &outcome, const std::string &directory);

}  // namespace sv_trace_tool
