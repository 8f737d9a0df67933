// The cores that a process may use, according to the kernel. Every trace file contains them in a note, from which the
// report finds ranks that share cores.
#pragma once

#include <string>

namespace sv::trace {

/// The cores (hardware threads) that the calling process may use, as `taskset -c` writes them: "0-3,8". The processes
/// of a host share the union of their cores. Empty if the kernel does not report them.
std::string cores_of_process();

/// The note of a trace file that has them: {"kind": "cores", "may_use": "0-3,8"}.
std::string cores_note();

}  // namespace sv::trace
