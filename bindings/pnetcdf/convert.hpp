// Values of attributes from one type to another, as PnetCDF converts them; and whether values of variables fit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../face/types.hpp"
#include "codes.hpp"

namespace sv::pnetcdf {

/// Calls visit(value), of the C type that a type of netCDF has. Throws NC_EBADTYPE.
template <class Visit>
auto as_type(int type, Visit &&visit) {
  return face::as_type(type, NC_EBADTYPE, visit);
}

inline int64_t type_bytes(int type) {
  return as_type(type, [](auto like) { return static_cast<int64_t>(sizeof like); });
}

template <class To, class From>
bool fits(From value) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_same_v<From, To>) return true;
  if constexpr (std::is_floating_point_v<From>) {
    if constexpr (std::is_floating_point_v<To>)
      return !(value > From(Limits::max()) || value < From(Limits::lowest())) || sizeof(To) >= sizeof(From);
    // The largest integer may be no number of From: the next power of two is.
    return value >= From(Limits::lowest()) && value < From(Limits::max() / 2 + 1) * 2;
  } else {
    if constexpr (std::is_floating_point_v<To>) return true;
    if (value < From(0)) return std::is_signed_v<To> && int64_t(value) >= int64_t(Limits::lowest());
    return uint64_t(value) <= uint64_t(Limits::max());
  }
}

/// The fill value of netCDF.
template <class T>
T default_fill() {
  constexpr Types fills{NC_FILL_BYTE,  NC_FILL_CHAR,   NC_FILL_SHORT, NC_FILL_INT,   NC_FILL_FLOAT, NC_FILL_DOUBLE,
                        NC_FILL_UBYTE, NC_FILL_USHORT, NC_FILL_UINT,  NC_FILL_INT64, NC_FILL_UINT64};
  return std::get<T>(fills);
}

/// Whether some values of a type do not fit another.
inline bool narrows(int from_type, int to_type) {
  if (from_type == to_type || from_type == NC_CHAR || to_type == NC_CHAR) return false;
  return as_type(from_type, [&](auto from_like) {
    return as_type(to_type, [&](auto to_like) {
      using Limits = std::numeric_limits<decltype(from_like)>;
      return !fits<decltype(to_like)>(Limits::max()) || !fits<decltype(to_like)>(Limits::lowest());
    });
  });
}

/// Whether all of `n` values fit.
inline bool all_fit(int from_type, const void *from, int to_type, int64_t n) {
  return as_type(from_type, [&](auto from_like) {
    return as_type(to_type, [&](auto to_like) {
      const auto *const values = static_cast<const decltype(from_like) *>(from);
      return std::all_of(values, values + n, fits<decltype(to_like), decltype(from_like)>);
    });
  });
}

/// Converts `n` values; those that do not fit become netCDF's fill value. Returns NC_ERANGE for these, NC_ECHAR for
/// text and numbers.
inline int convert(int from_type, const void *from, int to_type, void *to, int64_t n) {
  if ((from_type == NC_CHAR) != (to_type == NC_CHAR)) return NC_ECHAR;
  return as_type(from_type, [&](auto from_like) {
    return as_type(to_type, [&](auto to_like) {
      using From = decltype(from_like);
      using To = decltype(to_like);
      int code = NC_NOERR;
      for (int64_t i = 0; i < n; ++i) {
        const From value = static_cast<const From *>(from)[i];
        const bool good = fits<To>(value);
        static_cast<To *>(to)[i] = good ? static_cast<To>(value) : default_fill<To>();
        if (!good) code = NC_ERANGE;
      }
      return code;
    });
  });
}

}  // namespace sv::pnetcdf
