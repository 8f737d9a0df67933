#include "convert.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "../face/conversion.hpp"
#include "../face/types.hpp"
#include "base/swap.hpp"

namespace sv::netcdf {

namespace {

template <size_t I>
using Numbered = std::tuple_element_t<I, Types>;

constexpr int64_t far_bytes = 64 << 10;  // the writing thread reads longer values from memory anyway

constexpr int64_t values_at_once =
    512;  // converted and swapped in turn: each is fast by itself, and a step stays in the cache

template <class From, class To>
bool put_row(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count) {
  constexpr int64_t from_width = sizeof(From), to_width = sizeof(To);
  const auto copy = count * to_width < far_bytes ? swap_copy : swap_copy_past_caches;
  if (std::is_same_v<From, To> && from_stride == from_width) {
    copy(from, to, count, to_width);
    return true;
  }
  bool good = true;
  alignas(64) std::byte row[values_at_once * to_width];
  for (int64_t done = 0; done < count; done += values_at_once) {
    const int64_t n = std::min(values_at_once, count - done);
    const std::byte *const here = from + done * from_stride;
    good &= from_stride == from_width ? convert<From, To>(here, from_width, row, to_width, n)
                                      : convert<From, To>(here, from_stride, row, to_width, n);
    copy(row, to + done * to_width, n, to_width);
  }
  return good;
}

template <class From, class To>
bool get_row(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count) {
  constexpr int64_t from_width = sizeof(From), to_width = sizeof(To);
  if (std::is_same_v<From, To> && to_stride == to_width) {
    swap_copy(from, to, count, to_width);
    return true;
  }
  bool good = true;
  alignas(64) std::byte row[values_at_once * from_width];
  for (int64_t done = 0; done < count; done += values_at_once) {
    const int64_t n = std::min(values_at_once, count - done);
    std::byte *const here = to + done * to_stride;
    swap_copy(from + done * from_width, row, n, from_width);
    good &= to_stride == to_width ? convert<From, To>(row, from_width, here, to_width, n)
                                  : convert<From, To>(row, from_width, here, to_stride, n);
  }
  return good;
}

template <size_t... I>
constexpr auto put_table(std::index_sequence<I...>) {
  return std::array<ToFile, sizeof...(I)>{put_row<Numbered<I / n_types>, Numbered<I % n_types>>...};
}
template <size_t... I>
constexpr auto get_table(std::index_sequence<I...>) {
  return std::array<FromFile, sizeof...(I)>{get_row<Numbered<I / n_types>, Numbered<I % n_types>>...};
}

using Entries = std::make_index_sequence<n_types * n_types>;
constexpr auto write_functions = put_table(Entries{});
constexpr auto read_functions = get_table(Entries{});

constexpr size_t entry(Type from, Type to) {
  return (static_cast<size_t>(from) - 1) * n_types + static_cast<size_t>(to) - 1;
}

}  // namespace

ToFile to_file(Type memory, Type file) { return write_functions[entry(memory, file)]; }
FromFile from_file(Type file, Type memory) { return read_functions[entry(file, memory)]; }

Type memory_type(nc_type asked, Type stored) {
  if (asked == NC_NAT) return stored;
  refuse_if((asked == NC_CHAR) != (stored == Type::text), NC_ECHAR);
  refuse_if(!is_type(asked), NC_EBADTYPE);
  return static_cast<Type>(asked);
}

Type type_in_file(Type stored, Type memory, bool is_cdf5) {
  return stored == Type::int8 && memory == Type::uint8 && !is_cdf5 ? Type::uint8 : stored;
}

}  // namespace sv::netcdf
