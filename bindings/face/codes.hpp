// How the libraries that stand in for PnetCDF and netCDF come to the codes that they return. Their functions throw a
// Refusal where the library would return a code; answered() returns it to the program. Local.
#pragma once

#include "base/no_traps.hpp"

namespace sv::face {

struct Refusal {
  int code;
};

inline void refuse_if(bool wrong, int code) {
  if (wrong) throw Refusal{code};
}

/// The code of the exception that is being handled, which is no Refusal. Each face defines it.
int code_of_exception() noexcept;

/// What a function of ours returns to the program.
template <class Action>
int answered(Action &&action) noexcept {
  const NoTraps quiet;
  try {
    return action();
  } catch (const Refusal &refusal) {
    return refusal.code;
  } catch (...) {
    return code_of_exception();
  }
}

/// Stores a result, unless the program passed no place for it.
template <class T, class U>
int assign(T *to, U value) {
  if (to != nullptr) *to = static_cast<T>(value);
  return 0;
}
template <class U>
int assign(std::nullptr_t, U) {
  return 0;
}

}  // namespace sv::face
