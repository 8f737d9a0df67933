// Which cores a process may use, as the kernel tells it. Every trace file has it in a note, from which the report sees
// ranks that share cores.
#pragma once

#include <string>

namespace sv::trace {

/// The cores (hardware threads) that the calling process may use, as `taskset -c` writes them: "0-3,8". Those of all
/// processes of a host together are what they share. Empty where the kernel does not tell.
std::string cores_of_process();

/// The note of a trace file that has them: {"kind": "cores", "may_use": "0-3,8"}.
std::string cores_note();

}  // namespace sv::trace
