// Moves a row of values from memory to a file's bytes and back in one pass: type conversion, packing (CF), byte order,
// and strided gather or scatter. Code that packs or reads a variable requests a PackRow or an UnpackRow once, and calls
// it for every row.
#pragma once

#include <optional>
#include <string>

#include "base/kernels.hpp"

namespace sv {

/// Result of a value that the target type cannot hold: the nearest value of that type, the fill value, or (refuse) an
/// error that the caller makes of their count. NaN is kept in floating-point types; for an integer type it is out of
/// range, and becomes the fill value in any case.
enum class RangeError { clamp, fill, refuse };

/// Packed data (CF conventions, section 8.1): value = stored * factor + offset.
struct Scaling {
  double factor = 1, offset = 0;
};

/// How values pass between memory and a file. With `scaling` they are packed and unpacked in double precision, and
/// rounded to the nearest where integers are the target; NaN is stored as `fill`, and `fill` is read as NaN, or as the
/// fill value where memory has integers.
struct Conversion {
  Type memory, file;
  ByteOrder order = ByteOrder::big;
  RangeError range_error = RangeError::clamp;
  std::optional<Scaling> scaling = {};
  Element fill = {};  // of the file's type
};

/// With netCDF's own fill value, nothing packed, and clamping.
Conversion plain_conversion(Type memory, Type file, ByteOrder order);

/// The first value that did not fit, in words; empty without one.
struct FirstRangeError {
  std::string text;
};

/// Converts rows on their way into a file. A value; made by pack_row.
class PackRow {
 public:
  PackRow() = default;
  explicit PackRow(const Conversion &how);
  /// Where the first misfit is to be kept; borrowed.
  void keep_first(FirstRangeError *first) { first_ = first; }
  /// Converts `count` elements at `from` (native order, `from_stride` bytes apart) to contiguous ones at `to`. Neither
  /// side need be aligned.
  OutOfRange operator()(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count) const;
  /// Whether it only copies, or reverses the bytes of each element: for those who move single elements.
  bool is_plain() const { return how_.memory == how_.file && !how_.scaling; }
  bool swaps() const { return how_.order == ByteOrder::big; }
  int64_t file_bytes() const { return size_of(how_.file); }  // of an element
  int64_t memory_bytes() const { return size_of(how_.memory); }

 private:
  OutOfRange pack_scaled(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count) const;
  void find_first(const std::byte *from, int64_t from_stride, int64_t count) const;

  Conversion how_{Type::int8, Type::int8};
  Substitutes instead_;
  PackKernel kernel_ = nullptr, widen_ = nullptr;
  FirstRangeError *first_ = nullptr;
};

/// The other way: contiguous elements of the file at `from` to native ones at `to`, `to_stride` bytes apart.
class UnpackRow {
 public:
  UnpackRow() = default;
  explicit UnpackRow(const Conversion &how);
  void keep_first(FirstRangeError *first) { first_ = first; }
  OutOfRange operator()(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count) const;
  /// As of PackRow.
  bool is_plain() const { return how_.memory == how_.file && !how_.scaling; }
  bool swaps() const { return how_.order == ByteOrder::big; }
  int64_t file_bytes() const { return size_of(how_.file); }  // of an element
  int64_t memory_bytes() const { return size_of(how_.memory); }

 private:
  OutOfRange unpack_scaled(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count) const;
  void find_first(const std::byte *from, int64_t count) const;

  Conversion how_{Type::int8, Type::int8};
  Substitutes instead_;
  UnpackKernel kernel_ = nullptr, widen_ = nullptr;
  Element fill_in_file_order_{};
  FirstRangeError *first_ = nullptr;
};

/// Throw Error(type) where text meets numbers, or is to be packed.
PackRow pack_row(Type memory_type, Type file_type, ByteOrder order);
UnpackRow unpack_row(Type file_type, Type memory_type, ByteOrder order);

}  // namespace sv
