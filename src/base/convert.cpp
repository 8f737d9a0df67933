#include "base/convert.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/swap.hpp"

namespace sv {
namespace {

// The numeric types in the order of their numbers, without text.
using Numbers = std::tuple<int8_t, int16_t, int32_t, float, double, uint8_t, uint16_t, uint32_t, int64_t, uint64_t>;
constexpr size_t n_numbers = std::tuple_size_v<Numbers>;
template <size_t I>
using Number = std::tuple_element_t<I, Numbers>;

constexpr size_t slot(Type type) { return type == Type::int8 ? 0 : static_cast<size_t>(type) - 2; }
constexpr Type type_of_slot(size_t index) { return static_cast<Type>(index == 0 ? 1 : index + 2); }

template <typename T, size_t I = 0>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, Number<I>>) {
    return type_of_slot(I);
  } else {
    return type_of<T, I + 1>();
  }
}

template <typename T>
T fill_of() {
  T value;
  default_fill(type_of<T>(), &value);
  return value;
}

// `value` as To, or the nearest To; without branches, so that loops over it vectorise. Infinities are floats that fit.
template <typename To, typename From>
To fit(From value, To fill, OutOfRange &misfits) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_floating_point_v<To>) {
    if constexpr (std::is_floating_point_v<From> && sizeof(From) > sizeof(To)) {
      const From magnitude = std::abs(value);
      const bool misfit = magnitude > From{Limits::max()} && magnitude <= std::numeric_limits<From>::max();
      misfits += misfit;
      return static_cast<To>(misfit ? std::copysign(From{Limits::max()}, value) : value);
    } else {
      return static_cast<To>(value);
    }
  } else if constexpr (std::is_floating_point_v<From>) {
    // Both bounds are powers of two (or 0), hence exact.
    const From above = std::ldexp(From{1}, Limits::digits);
    const From lowest = std::is_signed_v<To> ? -above : From{0};
    const bool fits = value >= lowest && value < above;
    misfits += !fits;
    if (fits) return static_cast<To>(value);
    return value < From{0} ? Limits::min() : value > From{0} ? Limits::max() : fill;
  } else {
    const bool low = std::cmp_less(value, Limits::min());
    const bool high = std::cmp_greater(value, Limits::max());
    misfits += low || high;
    return low ? Limits::min() : high ? Limits::max() : static_cast<To>(value);
  }
}

template <typename From, typename To>
OutOfRange convert_loop(const std::byte *__restrict from, int64_t from_stride, std::byte *__restrict to,
                        int64_t to_stride, int64_t count) {
  OutOfRange misfits = 0;
  const To fill = fill_of<To>();
  for (int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * from_stride, sizeof value);
    const To fitted = fit<To>(value, fill, misfits);
    std::memcpy(to + i * to_stride, &fitted, sizeof fitted);
  }
  return misfits;
}

// Native to native.
template <typename From, typename To>
OutOfRange convert(const std::byte *from, int64_t from_stride, std::byte *to, int64_t to_stride, int64_t count) {
  constexpr int64_t from_width = sizeof(From), to_width = sizeof(To);
  if (from_stride != from_width || to_stride != to_width)
    return convert_loop<From, To>(from, from_stride, to, to_stride, count);
  if constexpr (std::is_same_v<From, To>) {
    if (count > 0) std::memcpy(to, from, static_cast<size_t>(count * to_width));
    return 0;
  } else {
    return convert_loop<From, To>(from, from_width, to, to_width, count);
  }
}

template <typename T>
constexpr bool swaps(bool big) {
  return big && std::endian::native == std::endian::little && sizeof(T) > 1;
}

// Conversion and swap each vectorise well, together they do not: they take turns over blocks that stay in cache.
constexpr int64_t block_elements = 512;

template <typename From, typename To, bool Big>
OutOfRange pack(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count) {
  constexpr int64_t width = sizeof(To);
  if constexpr (!swaps<To>(Big)) {
    return convert<From, To>(from, from_stride, to, width, count);
  } else {
    if (std::is_same_v<From, To> && from_stride == width) {
      swap_copy(from, to, count, width);
      return 0;
    }
    alignas(64) std::byte block[block_elements * width];
    OutOfRange misfits = 0;
    for (int64_t done = 0; done < count; done += block_elements) {
      const int64_t n = std::min(block_elements, count - done);
      misfits += convert<From, To>(from + done * from_stride, from_stride, block, width, n);
      swap_copy(block, to + done * width, n, width);
    }
    return misfits;
  }
}

template <typename From, typename To, bool Big>
OutOfRange unpack(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count) {
  constexpr int64_t width = sizeof(From);
  if constexpr (!swaps<From>(Big)) {
    return convert<From, To>(from, width, to, to_stride, count);
  } else {
    if (std::is_same_v<From, To> && to_stride == width) {
      swap_copy(from, to, count, width);
      return 0;
    }
    alignas(64) std::byte block[block_elements * width];
    OutOfRange misfits = 0;
    for (int64_t done = 0; done < count; done += block_elements) {
      const int64_t n = std::min(block_elements, count - done);
      swap_copy(from + done * width, block, n, width);
      misfits += convert<From, To>(block, width, to + done * to_stride, to_stride, n);
    }
    return misfits;
  }
}

template <typename Kernel>
using Table = std::array<Kernel, 2 * n_numbers * n_numbers>;

constexpr size_t entry(size_t from, size_t to, bool big) { return (from * n_numbers + to) * 2 + big; }

template <size_t... I>
constexpr Table<PackRow> pack_table(std::index_sequence<I...>) {
  return {pack<Number<I / 2 / n_numbers>, Number<I / 2 % n_numbers>, (I % 2 == 1)>...};
}

template <size_t... I>
constexpr Table<UnpackRow> unpack_table(std::index_sequence<I...>) {
  return {unpack<Number<I / 2 / n_numbers>, Number<I / 2 % n_numbers>, (I % 2 == 1)>...};
}

using Entries = std::make_index_sequence<2 * n_numbers * n_numbers>;
constexpr Table<PackRow> packs = pack_table(Entries{});
constexpr Table<UnpackRow> unpacks = unpack_table(Entries{});

// Text goes to text, as bytes; anything else that involves text is refused.
bool both_text(Type from, Type to) {
  if ((from == Type::text) == (to == Type::text)) return from == Type::text;
  throw Error(Status::type,
              "values of type " + std::string(name_of(from)) + " do not convert to " + std::string(name_of(to)),
              "Use SV_CHAR for text on both sides and numbers otherwise");
}

}  // namespace

PackRow pack_row(Type memory_type, Type file_type, ByteOrder order) {
  if (both_text(memory_type, file_type)) return pack<uint8_t, uint8_t, false>;
  return packs[entry(slot(memory_type), slot(file_type), order == ByteOrder::big)];
}

UnpackRow unpack_row(Type file_type, Type memory_type, ByteOrder order) {
  if (both_text(file_type, memory_type)) return unpack<uint8_t, uint8_t, false>;
  return unpacks[entry(slot(file_type), slot(memory_type), order == ByteOrder::big)];
}

}  // namespace sv
