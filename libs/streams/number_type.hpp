// From a type of sverdrup.h to the type of C++.
#pragma once

#include <cstdint>

#include "sverdrup/sverdrup.h"

namespace sv::streams {

/// Calls `use` with a zero of the C++ type. `type`: of numbers.
template <class Use>
auto with_type(int type, const Use &use) {
  switch (type) {
    case SV_BYTE:
      return use(int8_t{});
    case SV_UBYTE:
      return use(uint8_t{});
    case SV_SHORT:
      return use(int16_t{});
    case SV_USHORT:
      return use(uint16_t{});
    case SV_INT:
      return use(int32_t{});
    case SV_UINT:
      return use(uint32_t{});
    case SV_INT64:
      return use(int64_t{});
    case SV_UINT64:
      return use(uint64_t{});
    case SV_FLOAT:
      return use(float{});
    default:
      return use(double{});
  }
}

}  // namespace sv::streams
