#include "base/kernels.hpp"

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

// Replacements of values that do not fit, in the type of the target.
template <typename To>
struct Replacements {
  explicit Replacements(const Substitutes &substitutes) {
    std::memcpy(&low, substitutes.low.data(), sizeof low);
    std::memcpy(&high, substitutes.high.data(), sizeof high);
    std::memcpy(&none, substitutes.none.data(), sizeof none);
    infinities = substitutes.infinities;
  }
  To low, high, none;
  bool infinities;
};

// Whether a real is above the largest number of an integer type: as netCDF has it, 127.5 is out of a byte's range.
template <typename To, typename From>
bool above_integers(From value) {
  using Limits = std::numeric_limits<To>;
  if constexpr (Limits::digits <= std::numeric_limits<From>::digits) return value > static_cast<From>(Limits::max());
  // The largest integer is no value of From: the power of two above it is.
  else
    return value >= std::ldexp(From{1}, Limits::digits);
}

// `value` as To, or its replacement; without branches, so that loops over it vectorise. An infinity that goes into a
// narrower real is out of range, as netCDF has it; yet that type holds it, so that clamping leaves it.
template <typename To, typename From>
To fit(From value, const Replacements<To> &instead, OutOfRange &range_errors) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_floating_point_v<To>) {
    if constexpr (std::is_floating_point_v<From> && sizeof(From) > sizeof(To)) {
      const From magnitude = std::abs(value);
      const bool range_error = magnitude > From{Limits::max()};
      const bool replaced = range_error && (instead.infinities || magnitude <= std::numeric_limits<From>::max());
      range_errors += range_error;
      return replaced ? (value < From{0} ? instead.low : instead.high) : static_cast<To>(value);
    } else {
      return static_cast<To>(value);
    }
  } else if constexpr (std::is_floating_point_v<From>) {
    const From lowest = std::is_signed_v<To> ? static_cast<From>(Limits::min()) : From{0};  // a power of two or 0
    const bool fits = value >= lowest && !above_integers<To>(value);
    range_errors += !fits;
    if (fits) return static_cast<To>(value);
    return value < From{0} ? instead.low : value > From{0} ? instead.high : instead.none;
  } else {
    const bool low = std::cmp_less(value, Limits::min());
    const bool high = std::cmp_greater(value, Limits::max());
    range_errors += low || high;
    return low ? instead.low : high ? instead.high : static_cast<To>(value);
  }
}

// The target of converted elements, and the replacement of elements that do not fit.
struct Target {
  std::byte *to;
  int64_t stride_bytes;
  const Substitutes &substitutes;
};

template <typename From, typename To>
OutOfRange convert_loop(const std::byte *__restrict from, int64_t from_stride, const Target &target, int64_t count) {
  OutOfRange range_errors = 0;
  std::byte *const __restrict to = target.to;
  const int64_t to_stride = target.stride_bytes;
  const Replacements<To> instead(target.substitutes);
  for (int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * from_stride, sizeof value);
    const To fitted = fit<To>(value, instead, range_errors);
    std::memcpy(to + i * to_stride, &fitted, sizeof fitted);
  }
  return range_errors;
}

// Native to native. Not inlined: pack and unpack, with and without a swap, share its loops.
template <typename From, typename To>
[[gnu::noinline]] OutOfRange convert(const std::byte *from, int64_t from_stride, const Target &target, int64_t count) {
  constexpr int64_t from_width = sizeof(From), to_width = sizeof(To);
  if (from_stride != from_width || target.stride_bytes != to_width)
    return convert_loop<From, To>(from, from_stride, target, count);
  if constexpr (std::is_same_v<From, To>) {
    if (count > 0) std::memcpy(target.to, from, static_cast<size_t>(count * to_width));
    return 0;
  } else {
    return convert_loop<From, To>(from, from_width, {target.to, to_width, target.substitutes}, count);
  }
}

template <typename T>
constexpr bool swaps(bool big) {
  return big && std::endian::native == std::endian::little && sizeof(T) > 1;
}

// Conversion and swap each vectorise well, together they do not: they take turns over blocks that stay in cache.
constexpr int64_t block_elements = 512;

template <typename From, typename To, bool Big>
OutOfRange pack(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count,
                const Substitutes &substitutes) {
  constexpr int64_t width = sizeof(To);
  if constexpr (!swaps<To>(Big)) {
    return convert<From, To>(from, from_stride, {to, width, substitutes}, count);
  } else {
    if (std::is_same_v<From, To> && from_stride == width) {
      swap_copy(from, to, count, width);
      return 0;
    }
    alignas(64) std::byte block[block_elements * width];
    OutOfRange range_errors = 0;
    for (int64_t done = 0; done < count; done += block_elements) {
      const int64_t n = std::min(block_elements, count - done);
      range_errors += convert<From, To>(from + done * from_stride, from_stride, {block, width, substitutes}, n);
      swap_copy(block, to + done * width, n, width);
    }
    return range_errors;
  }
}

template <typename From, typename To, bool Big>
OutOfRange unpack(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count,
                  const Substitutes &substitutes) {
  constexpr int64_t width = sizeof(From);
  if constexpr (!swaps<From>(Big)) {
    return convert<From, To>(from, width, {to, to_stride, substitutes}, count);
  } else {
    if (std::is_same_v<From, To> && to_stride == width) {
      swap_copy(from, to, count, width);
      return 0;
    }
    alignas(64) std::byte block[block_elements * width];
    OutOfRange range_errors = 0;
    for (int64_t done = 0; done < count; done += block_elements) {
      const int64_t n = std::min(block_elements, count - done);
      swap_copy(from + done * width, block, n, width);
      range_errors += convert<From, To>(block, width, {to + done * to_stride, to_stride, substitutes}, n);
    }
    return range_errors;
  }
}

template <typename Kernel>
using Table = std::array<Kernel, 2 * n_numbers * n_numbers>;

constexpr size_t entry(size_t from, size_t to, bool big) { return (from * n_numbers + to) * 2 + big; }

template <size_t... I>
constexpr Table<PackKernel> pack_table(std::index_sequence<I...>) {
  return {pack<Number<I / 2 / n_numbers>, Number<I / 2 % n_numbers>, (I % 2 == 1)>...};
}

template <size_t... I>
constexpr Table<UnpackKernel> unpack_table(std::index_sequence<I...>) {
  return {unpack<Number<I / 2 / n_numbers>, Number<I / 2 % n_numbers>, (I % 2 == 1)>...};
}

using Entries = std::make_index_sequence<2 * n_numbers * n_numbers>;
constexpr Table<PackKernel> packs = pack_table(Entries{});
constexpr Table<UnpackKernel> unpacks = unpack_table(Entries{});

// Text goes to text, as bytes; anything else that involves text is refused.
bool both_text(Type from, Type to) {
  if ((from == Type::text) == (to == Type::text)) return from == Type::text;
  throw Error(Status::type,
              "values of type " + std::string(name_of(from)) + " do not convert to " + std::string(name_of(to)),
              "Use SV_CHAR for text on both sides and numbers otherwise");
}

}  // namespace

PackKernel pack_kernel(Type memory_type, Type file_type, ByteOrder order) {
  if (both_text(memory_type, file_type)) return pack<uint8_t, uint8_t, false>;
  return packs[entry(slot(memory_type), slot(file_type), order == ByteOrder::big)];
}

UnpackKernel unpack_kernel(Type file_type, Type memory_type, ByteOrder order) {
  if (both_text(file_type, memory_type)) return unpack<uint8_t, uint8_t, false>;
  return unpacks[entry(slot(file_type), slot(memory_type), order == ByteOrder::big)];
}

}  // namespace sv
