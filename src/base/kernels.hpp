// The functions that convert a row from one type to another, one for every pair of types. Only base/convert calls them;
// all others ask it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/type.hpp"

namespace sv {

enum class ByteOrder { big, native };

/// How many values did not fit.
using OutOfRange = int64_t;

/// The stored values for values of another type that the target type cannot hold: below and above its range, and NaN.
/// `infinities`: whether they also replace infinities in a real target; otherwise infinities are kept.
struct Substitutes {
  Element low{}, high{}, none{};
  bool infinities = false;
};

/// From memory (native order, `from_stride` bytes apart) to contiguous elements of the file. Neither side need be
/// aligned. `substitutes`: of the target's type.
using PackKernel = OutOfRange (*)(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count,
                                  const Substitutes &substitutes);
/// The other way.
using UnpackKernel = OutOfRange (*)(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count,
                                    const Substitutes &substitutes);

/// Fastest for equal types and unit stride (a copy or a vectorised swap). Throw Error(type) where text meets numbers.
PackKernel pack_kernel(Type memory_type, Type file_type, ByteOrder order);
UnpackKernel unpack_kernel(Type file_type, Type memory_type, ByteOrder order);

}  // namespace sv
