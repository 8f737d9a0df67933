// Codes of PnetCDF: what a call returns, and how it comes to it. Functions of this folder throw a Refusal where
// PnetCDF would return a code; answered() makes the code of it. And which PnetCDF it is.
#pragma once

#include <pnetcdf.h>

#include <new>

#include "base/no_traps.hpp"

namespace sv::pnetcdf {

/// Its version 1.13 has changed what hints and formats mean.
constexpr bool is_before_1_13 = PNETCDF_VERSION_MAJOR == 1 && PNETCDF_VERSION_MINOR < 13;

struct Refusal {
  int code;
};

/// The code of PnetCDF that says the same as a status of Sverdrup.
int code_of(int status);

/// Throws the code of a call of Sverdrup that has failed.
inline void must(int status) {
  if (status != 0) throw Refusal{code_of(status)};
}
inline void refuse_if(bool wrong, int code) {
  if (wrong) throw Refusal{code};
}

/// What a function of ours returns to the program.
template <class Action>
int answered(Action &&action) noexcept {
  const NoTraps quiet;
  try {
    return action();
  } catch (const Refusal &refusal) {
    return refusal.code;
  } catch (const std::bad_alloc &) {
    return NC_ENOMEM;
  } catch (...) {
    return NC_EFILE;
  }
}

}  // namespace sv::pnetcdf
