// Codes of netCDF: what a call returns, and how it comes to it. Functions of this folder throw a Refusal where netCDF
// would return a code; answered() makes the code of it, and of what the engine throws.
#pragma once

#include <netcdf.h>

#include "base/no_traps.hpp"

namespace sv::netcdf {

struct Refusal {
  int code;
};

inline void refuse_if(bool wrong, int code) {
  if (wrong) throw Refusal{code};
}

/// The code of the exception that is being handled.
int code_of_exception() noexcept;

/// What a function of ours returns to the program.
template <class Action>
int answered(Action &&action) noexcept {
  const NoTraps quiet;
  try {
    return action();
  } catch (...) {
    return code_of_exception();
  }
}

}  // namespace sv::netcdf
