// Values at which conversions between types have something to decide, and netCDF-C's calls for every type of memory.
#pragma once

#include <netcdf.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/types.hpp"

namespace svtest {

inline const std::vector<int> number_types{SV_BYTE,  SV_SHORT,  SV_INT,  SV_FLOAT, SV_DOUBLE,
                                           SV_UBYTE, SV_USHORT, SV_UINT, SV_INT64, SV_UINT64};

inline bool is_wide(int type) { return type >= SV_UBYTE; }

/// The bounds of every type with values just inside and outside, fractions, infinities, NaN, and netCDF's fill
/// values: those of them that `T` holds.
template <class T>
std::vector<T> interesting_values() {
  std::vector<T> values;
  if constexpr (std::is_floating_point_v<T>) {
    for (const double bound : {0., 127., 128., 255., 256., 32767., 32768., 65535., 65536., 2147483647., 2147483648.,
                               4294967295., 4294967296., 9223372036854775808., 18446744073709551616.})
      for (const double beside : {0., -0.5, 0.5, -1., 1., 0.25})
        for (const double sign : {1., -1.}) values.push_back(static_cast<T>(sign * (bound + beside)));
    const std::vector<double> others{1e-320,
                                     1e-45,
                                     0.1,
                                     1e20,
                                     NC_FILL_FLOAT,
                                     std::numeric_limits<float>::max(),
                                     std::nextafter(double{std::numeric_limits<float>::max()}, 1e39),
                                     3.5e38,
                                     1e39,
                                     1e300};
    for (const double value : others)
      for (const double sign : {1., -1.}) values.push_back(static_cast<T>(sign * value));
    for (const T start : {T{9223372036854775808.}, T{18446744073709551616.}}) {
      values.push_back(std::nextafter(start, T{0}));
      values.push_back(-std::nextafter(start, std::numeric_limits<T>::max()));
    }
    values.push_back(std::numeric_limits<T>::max());
    values.push_back(std::numeric_limits<T>::infinity());
    values.push_back(-std::numeric_limits<T>::infinity());
    values.push_back(std::numeric_limits<T>::quiet_NaN());
  } else {
    for (const int bits : {0, 7, 8, 15, 16, 24, 31, 32, 53, 63})
      for (const int64_t beside : {-2, -1, 0, 1}) {
        const auto bound = bits == 63 ? uint64_t{1} << 63 : uint64_t{1} << bits;
        const uint64_t up = bound + static_cast<uint64_t>(beside);
        const int64_t down = static_cast<int64_t>(-bound - static_cast<uint64_t>(beside));
        if (std::in_range<T>(up)) values.push_back(static_cast<T>(up));
        if (std::in_range<T>(down)) values.push_back(static_cast<T>(down));
      }
    values.push_back(std::numeric_limits<T>::max());
    values.push_back(std::numeric_limits<T>::min());
  }
  return values;
}

#define SV_NETCDF_CALLS(type, name)                                             \
  inline int nc_put_one(int id, int var, const size_t *at, const type &value) { \
    return nc_put_var1_##name(id, var, at, &value);                             \
  }                                                                             \
  inline int nc_get_one(int id, int var, const size_t *at, type &value) {       \
    return nc_get_var1_##name(id, var, at, &value);                             \
  }

SV_NETCDF_CALLS(int8_t, schar)
SV_NETCDF_CALLS(int16_t, short)
SV_NETCDF_CALLS(int32_t, int)
SV_NETCDF_CALLS(float, float)
SV_NETCDF_CALLS(double, double)
SV_NETCDF_CALLS(uint8_t, uchar)
SV_NETCDF_CALLS(uint16_t, ushort)
SV_NETCDF_CALLS(uint32_t, uint)
#undef SV_NETCDF_CALLS
inline int nc_put_one(int id, int var, const size_t *at, const int64_t &value) {
  const long long native = value;
  return nc_put_var1_longlong(id, var, at, &native);
}
inline int nc_get_one(int id, int var, const size_t *at, int64_t &value) {
  long long native = 0;
  const int status = nc_get_var1_longlong(id, var, at, &native);
  value = native;
  return status;
}
inline int nc_put_one(int id, int var, const size_t *at, const uint64_t &value) {
  const unsigned long long native = value;
  return nc_put_var1_ulonglong(id, var, at, &native);
}
inline int nc_get_one(int id, int var, const size_t *at, uint64_t &value) {
  unsigned long long native = 0;
  const int status = nc_get_var1_ulonglong(id, var, at, &native);
  value = native;
  return status;
}

}  // namespace svtest
