#include "base/type.hpp"

#include <cstring>

namespace sv {

std::string_view name_of(Type type) {
  constexpr std::string_view names[] = {"?",     "byte",   "char", "short", "int",    "float", "double",
                                        "ubyte", "ushort", "uint", "int64", "uint64", "string"};
  return names[static_cast<int>(type)];
}

namespace {

template <typename T>
void put(void *value, T fill) {
  std::memcpy(value, &fill, sizeof fill);
}

}  // namespace

// NC_FILL_* of netCDF-C's netcdf.h.
void default_fill(Type type, void *value) {
  switch (type) {
    case Type::int8:
      return put<int8_t>(value, -127);
    case Type::text:
      return put<char>(value, 0);
    case Type::int16:
      return put<int16_t>(value, -32767);
    case Type::int32:
      return put<int32_t>(value, -2147483647);
    case Type::float32:
      return put<float>(value, 9.9692099683868690e+36F);
    case Type::float64:
      return put<double>(value, 9.9692099683868690e+36);
    case Type::uint8:
      return put<uint8_t>(value, 255);
    case Type::uint16:
      return put<uint16_t>(value, 65535);
    case Type::uint32:
      return put<uint32_t>(value, 4294967295U);
    case Type::int64:
      return put<int64_t>(value, -9223372036854775806LL);
    case Type::uint64:
      return put<uint64_t>(value, 18446744073709551614ULL);
    case Type::string:
      return;
  }
}

}  // namespace sv
