// One pass from memory to file and back: type conversion, byte order, and strided gather or scatter of a row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/type.hpp"

namespace sv {

enum class ByteOrder { big, native };

/// What happened to values that do not fit: they were clamped to the nearest value of the target type (NaN to the
/// target's fill value), and are counted.
using OutOfRange = int64_t;

/// Converts `count` elements at `from` (native order, `from_stride` bytes apart) to type `to_type`, contiguous, in
/// order `order`, at `to`. Returns how many did not fit. Neither side need be aligned.
using PackRow = OutOfRange (*)(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count);
/// The other way: contiguous file values at `from` to native memory at `to`, `to_stride` bytes apart.
using UnpackRow = OutOfRange (*)(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count);

/// The kernels for a pair of types; fastest for equal types and unit stride (a copy or a vectorised swap).
/// Throws Error(type) where text meets numbers.
PackRow pack_row(Type memory_type, Type file_type, ByteOrder order);
UnpackRow unpack_row(Type file_type, Type memory_type, ByteOrder order);

}  // namespace sv
