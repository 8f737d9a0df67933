// Whether an operation is to fail.
#pragma once

#include <cstdint>

#include "configuration.hpp"

namespace sv_shim {

struct Verdict {
  int error = 0;         // errno; 0: none
  bool shorten = false;  // transfer only half
};

/// Counts an operation on `path` (absolute) and returns its effect; Effect::kill ends the process here.
Verdict judge(Operation operation, const char *path);

}  // namespace sv_shim
