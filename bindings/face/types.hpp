// The C types of netCDF's types. Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "codes.hpp"

namespace sv::face {

/// In the order of their numbers, NC_BYTE to NC_UINT64. Text is char.
using Types = std::tuple<int8_t, char, int16_t, int32_t, float, double, uint8_t, uint16_t, uint32_t, int64_t, uint64_t>;
constexpr size_t n_types = std::tuple_size_v<Types>;

/// Calls visit(value) of the C type that a type of netCDF has. Throws `wrong` for other numbers.
template <size_t I = 0, class Visit>
auto as_type(int type, int wrong, Visit &&visit) {
  if (type == static_cast<int>(I) + 1) return visit(std::tuple_element_t<I, Types>{});
  if constexpr (I + 1 < n_types) return as_type<I + 1>(type, wrong, visit);
  throw Refusal{wrong};
}

}  // namespace sv::face
