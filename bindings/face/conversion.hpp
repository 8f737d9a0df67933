// Converts values from one type to another as netCDF does where its result is open: a value that does not fit keeps
// its lowest bits, and the caller gets NC_ERANGE. Native values on both sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace sv::face {

template <class To, class From>
bool fits(From value) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_same_v<To, From>) {
    return true;
  } else if constexpr (std::is_floating_point_v<From>) {
    if constexpr (std::is_floating_point_v<To> && sizeof(To) >= sizeof(From)) return true;
    // NaN fits: netCDF asks only whether a value is larger or smaller.
    return !(static_cast<double>(value) > static_cast<double>(Limits::max()) ||
             static_cast<double>(value) < static_cast<double>(Limits::lowest()));
  } else if constexpr (std::is_floating_point_v<To>) {
    return true;
  } else if constexpr (std::is_same_v<From, char> || std::is_same_v<To, char>) {
    return true;  // never asked for
  } else {
    return std::in_range<To>(value);
  }
}

/// C leaves the conversion of a real value that an integer cannot hold open, and compilers differ. Here, as in netCDF
/// where gcc has compiled it for x86: it becomes an integer of 32 or 64 bits first, whose lowest bits stay. Values
/// beyond such an integer, and NaN, become its lowest value.
template <class To, class From>
To cut(From value) {
  if constexpr (!std::is_floating_point_v<From> || std::is_floating_point_v<To>) {
    return static_cast<To>(value);
  } else {
    using Wide = std::conditional_t<sizeof(To) < sizeof(int32_t) || std::is_same_v<To, int32_t>, int32_t, int64_t>;
    constexpr From end = -static_cast<From>(std::numeric_limits<Wide>::lowest());
    if constexpr (std::is_same_v<To, uint64_t>)
      if (value >= end) return value < 2 * end ? static_cast<uint64_t>(value) : 0;
    const bool is_inside = value >= -end && value < end;
    return static_cast<To>(is_inside ? static_cast<Wide>(value) : std::numeric_limits<Wide>::lowest());
  }
}

/// `from_stride` and `to_stride` are constants where values follow each other: then the loop runs on vectors.
template <class From, class To>
bool convert(const std::byte *from, int64_t from_stride, std::byte *to, int64_t to_stride, int64_t count) {
  int out_of_range = 0;
  for (int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * from_stride, sizeof value);
    out_of_range |= fits<To>(value) ? 0 : 1;
    const To converted = cut<To>(value);
    std::memcpy(to + i * to_stride, &converted, sizeof converted);
  }
  return out_of_range == 0;
}

}  // namespace sv::face
