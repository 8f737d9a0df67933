// Numbers of any sv_type in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "check.hpp"

namespace svtest {

/// Calls `visit` with a value of the C type of `type`.
template <class Visit>
auto with_type(int type, Visit visit) {
  switch (type) {
    case SV_BYTE:
      return visit(int8_t{});
    case SV_CHAR:
      return visit(char{});
    case SV_SHORT:
      return visit(int16_t{});
    case SV_INT:
      return visit(int32_t{});
    case SV_FLOAT:
      return visit(float{});
    case SV_DOUBLE:
      return visit(double{});
    case SV_UBYTE:
      return visit(uint8_t{});
    case SV_USHORT:
      return visit(uint16_t{});
    case SV_UINT:
      return visit(uint32_t{});
    case SV_INT64:
      return visit(int64_t{});
    case SV_UINT64:
      return visit(uint64_t{});
    default:
      give_up("no type " + std::to_string(type));
  }
}

inline int64_t bytes_of(int type) {
  return with_type(type, [](auto zero) { return static_cast<int64_t>(sizeof zero); });
}

inline bool is_real(int type) { return type == SV_FLOAT || type == SV_DOUBLE; }

inline void store(int type, void *to, double value) {
  with_type(type, [&](auto zero) {
    const auto native = static_cast<decltype(zero)>(value);
    std::memcpy(to, &native, sizeof native);
  });
}

inline double load(int type, const void *from) {
  return with_type(type, [&](auto native) {
    std::memcpy(&native, from, sizeof native);
    return static_cast<double>(native);
  });
}

/// What becomes of a value on its way through this type.
inline double through(int type, double value) {
  return with_type(type, [&](auto zero) { return static_cast<double>(static_cast<decltype(zero)>(value)); });
}

}  // namespace svtest
