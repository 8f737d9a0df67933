// BitRound (Kouznetsov 2021), as netCDF-C 4.9 does it: all but the first bits of the mantissa are rounded away, so that
// chunks deflate better. The store of chunks calls it before the filters.
#pragma once

#include <cstddef>
#include <span>

#include "base/type.hpp"

namespace sv::netcdf4 {

/// Keeps `bits` of the mantissas of floats or doubles; `fill` (one element) stays as it is, and so do infinities and
/// NaN.
void bit_round(std::span<std::byte> values, Type type, int bits, std::span<const std::byte> fill);

}  // namespace sv::netcdf4
