// The types that netCDF gives to variables and attributes: their numbers, sizes, names and fill values. Everything that
// holds values names its type by this.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sv {

/// The numbers are netCDF's nc_type.
enum class Type : int {
  int8 = 1,
  text = 2,
  int16 = 3,
  int32 = 4,
  float32 = 5,
  float64 = 6,
  uint8 = 7,
  uint16 = 8,
  uint32 = 9,
  int64 = 10,
  uint64 = 11,
  string = 12  // a text of any length, in netCDF-4 and Zarr
};

using Element = std::array<std::byte, 8>;  // one of any type: size_of(type) bytes of it, native order

/// Bytes of one element; of strings, which differ in length, 1.
constexpr int64_t size_of(Type type) {
  constexpr int8_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, 1};
  return sizes[static_cast<int>(type)];
}

/// Whether its values have a size in bytes, so that puts and gets of arrays move them: strings have none.
constexpr bool is_type(int number) { return number >= 1 && number <= 11; }
constexpr bool needs_cdf5(Type type) { return static_cast<int>(type) > 6; }
std::string_view name_of(Type type);  // "double", as in CDL

/// The fill value netCDF uses when none is defined, in native byte order, into `value` (size_of(type) bytes).
void default_fill(Type type, void *value);

}  // namespace sv
