// Sverdrup: arrays that the C++ interface accepts. SPDX-License-Identifier: Apache-2.0
//
// sverdrup.hpp includes this header. A put or get takes its values as one of these:
//
//   - a pointer, as `double const *`. The caller guarantees its length;
//   - a contiguous range, as std::vector, std::array or std::span. Its length must be that of the put or get;
//   - a view of several dimensions: std::mdspan or a class with the same functions, or a Kokkos::View.
//     Its rank, extents and strides count, slowest dimension first, as for start and count;
//   - a number, for a scalar or one cell.
//
// The type of the values in memory follows from the C++ type. Specialise ViewTraits for other views.
#ifndef SVERDRUP_MEMORY_HPP
#define SVERDRUP_MEMORY_HPP

#if __cplusplus < 202002L
#error "sverdrup.hpp needs C++20, as by -std=c++20; sverdrup.h is for older standards"
#endif

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "sverdrup.h"

namespace sverdrup {

// Values that have a type in netCDF. `char` is a character; `signed char` and `unsigned char` are numbers.
template <class T>
concept Value = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, char> ||
    (std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
     !std::same_as<T, char16_t> && !std::same_as<T, char32_t> && sizeof(T) <= 8);

// The number of a C++ type, as SV_DOUBLE of `double`.
template <Value T>
consteval int type_of() {
  if constexpr (std::same_as<T, char>) return SV_CHAR;
  if constexpr (std::floating_point<T>) return sizeof(T) == sizeof(float) ? SV_FLOAT : SV_DOUBLE;
  constexpr bool is_signed = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1:
      return is_signed ? SV_BYTE : SV_UBYTE;
    case 2:
      return is_signed ? SV_SHORT : SV_USHORT;
    case 4:
      return is_signed ? SV_INT : SV_UINT;
    default:
      return is_signed ? SV_INT64 : SV_UINT64;
  }
}

// How a view of several dimensions is read: data(view), rank(view), extent(view, d) and stride(view, d), in elements.
template <class View>
struct ViewTraits {};

// std::mdspan, and classes with its functions.
template <class View>
requires requires(const View &view) {
  view.data_handle();
  view.extent(0);
  view.stride(0);
  view.rank();
}
struct ViewTraits<View> {
  static auto *data(const View &view) { return std::to_address(view.data_handle()); }
  static std::size_t rank(const View &view) { return static_cast<std::size_t>(view.rank()); }
  static int64_t extent(const View &view, std::size_t dim) {
    return static_cast<int64_t>(view.extent(static_cast<decltype(view.rank())>(dim)));
  }
  static int64_t stride(const View &view, std::size_t dim) {
    return static_cast<int64_t>(view.stride(static_cast<decltype(view.rank())>(dim)));
  }
};

// Kokkos::View. `rank` is a number there, not a function alone.
template <class View>
requires(
    !requires(const View &view) { view.data_handle(); } &&
    requires(const View &view) {
      view.data();
      view.extent(0);
      view.stride(0);
      static_cast<std::size_t>(View::rank);
    }) struct ViewTraits<View> {
  static auto *data(const View &view) { return view.data(); }
  static std::size_t rank(const View &) { return static_cast<std::size_t>(View::rank); }
  static int64_t extent(const View &view, std::size_t dim) {
    return static_cast<int64_t>(view.extent(static_cast<unsigned>(dim)));
  }
  static int64_t stride(const View &view, std::size_t dim) {
    return static_cast<int64_t>(view.stride(static_cast<unsigned>(dim)));
  }
};

template <class View>
concept StridedView = requires(const View &view) {
  {ViewTraits<View>::data(view)};
  { ViewTraits<View>::rank(view) } -> std::convertible_to<std::size_t>;
};

template <class Range>
concept ContiguousValues = !StridedView<std::remove_cvref_t<Range>> && std::ranges::contiguous_range<Range> &&
                           std::ranges::sized_range<Range> && Value<std::ranges::range_value_t<Range>>;

namespace detail {

using Lengths = std::array<int64_t, SV_MAX_DIMS>;

// Where values are in memory: the arguments of the C interface, and the shape, as far as it is known.
struct Memory {
  enum class Kind { pointer, range, view };
  Kind kind = Kind::pointer;
  void *data = nullptr;
  int type = 0;
  std::size_t rank = 0;  // of a view
  Lengths extents{};     // of a view; [0]: the length of a range
  Lengths strides{};     // of a view, in bytes

  [[nodiscard]] const int64_t *memory_strides() const {
    return kind == Kind::view && rank > 0 ? strides.data() : nullptr;
  }
  operator sv_source() const { return {type, data, memory_strides()}; }  // as requests take it
  operator sv_target() const { return {type, data, memory_strides()}; }
};

template <class T>
void *address(T *data) {
  return const_cast<std::remove_const_t<T> *>(data);
}

template <class T>
Memory memory_of(T *data, Memory::Kind kind) {
  Memory memory;
  memory.kind = kind;
  memory.data = address(data);
  memory.type = type_of<std::remove_cv_t<T>>();
  return memory;
}

template <class View>
Memory memory_of_view(const View &view) {
  auto *const data = ViewTraits<View>::data(view);
  Memory memory = memory_of(data, Memory::Kind::view);
  memory.rank = ViewTraits<View>::rank(view);
  for (std::size_t dim = 0; dim < memory.rank && dim < memory.extents.size(); ++dim) {
    memory.extents[dim] = ViewTraits<View>::extent(view, dim);
    memory.strides[dim] = ViewTraits<View>::stride(view, dim) * static_cast<int64_t>(sizeof *data);
  }
  return memory;
}

// The values of a put.
template <class Array>
Memory memory(const Array &array) {
  if constexpr (Value<Array>) {
    Memory one = memory_of(&array, Memory::Kind::range);
    one.extents[0] = 1;
    return one;
  } else if constexpr (StridedView<Array>) {
    return memory_of_view(array);
  } else if constexpr (ContiguousValues<const Array>) {
    Memory range = memory_of(std::ranges::data(array), Memory::Kind::range);
    range.extents[0] = static_cast<int64_t>(std::ranges::size(array));
    return range;
  } else {
    return memory_of(static_cast<const std::remove_pointer_t<std::decay_t<Array>> *>(array), Memory::Kind::pointer);
  }
}

// Whether the elements of `Array` can be written.
template <class Array>
consteval bool is_writable() {
  using Plain = std::remove_cvref_t<Array>;
  if constexpr (Value<Plain>)
    return !std::is_const_v<std::remove_reference_t<Array>>;
  else if constexpr (StridedView<Plain>)
    return !std::is_const_v<std::remove_pointer_t<decltype(ViewTraits<Plain>::data(std::declval<Plain>()))>>;
  else if constexpr (std::ranges::contiguous_range<Array>)
    return !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Array>>>;
  else
    return !std::is_const_v<std::remove_pointer_t<std::decay_t<Plain>>>;
}

}  // namespace detail

// Arrays that puts read. Null may be passed with its type, as `static_cast<double *>(nullptr)`, on ranks that own
// nothing.
template <class Array>
concept Source = Value<std::remove_cvref_t<Array>> || StridedView<std::remove_cvref_t<Array>> ||
    ContiguousValues<const std::remove_cvref_t<Array>> ||
    (std::is_pointer_v<std::decay_t<Array>> &&Value<std::remove_cv_t<std::remove_pointer_t<std::decay_t<Array>>>>);

// Arrays that gets fill: a Source whose values can be written. A number must be a variable.
template <class Array>
concept Target = Source<Array> && detail::is_writable<Array>() &&
    (!Value<std::remove_cvref_t<Array>> || std::is_lvalue_reference_v<Array>);

// Arrays of pending requests, which exist after the call: not temporary ones.
template <class Array>
concept Lasting = Source<Array> &&(std::is_lvalue_reference_v<Array> || std::is_pointer_v<std::remove_cvref_t<Array>> ||
                                   StridedView<std::remove_cvref_t<Array>> || std::ranges::borrowed_range<Array>);

template <class Array>
concept LastingTarget = Lasting<Array> && Target<Array>;

}  // namespace sverdrup

#endif
