// Rows: the kernels with replacements of values that do not fit, and packing (CF conventions, section 8.1).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/convert.hpp"
#include "base/error.hpp"

namespace sv {
namespace {

constexpr int64_t cached_doubles = 512;  // in cache between the steps
constexpr int64_t double_bytes = sizeof(double);

bool is_real(Type type) { return type == Type::float32 || type == Type::float64; }

/// Calls `visit` with a value of the number type `type`.
template <class Visit>
auto with_number(Type type, Visit visit) {
  switch (type) {
    case Type::int8:
      return visit(int8_t{});
    case Type::int16:
      return visit(int16_t{});
    case Type::int32:
      return visit(int32_t{});
    case Type::float32:
      return visit(float{});
    case Type::float64:
      return visit(double{});
    case Type::uint16:
      return visit(uint16_t{});
    case Type::uint32:
      return visit(uint32_t{});
    case Type::int64:
      return visit(int64_t{});
    case Type::uint64:
      return visit(uint64_t{});
    default:
      return visit(uint8_t{});
  }
}

std::string in_words(Type type, const std::byte *native) {
  return with_number(type, [&](auto value) {
    std::memcpy(&value, native, sizeof value);
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  });
}

Substitutes substitutes_of(Type target, RangeError range_error, const Element &fill) {
  if (range_error == RangeError::fill) return {fill, fill, fill, true};
  return with_number(target, [&](auto value) {
    using Limits = std::numeric_limits<decltype(value)>;
    Substitutes all{{}, {}, fill};
    value = Limits::lowest();
    std::memcpy(all.low.data(), &value, sizeof value);
    value = Limits::max();
    std::memcpy(all.high.data(), &value, sizeof value);
    return all;
  });
}

Element default_fill_of(Type type) {
  Element fill{};
  default_fill(type, fill.data());
  return fill;
}

/// The file's fill value in memory: as it is where the type of memory holds it, otherwise that type's own.
Element fill_in_memory(const Conversion &how) {
  Element fill{};
  const OutOfRange range_error = pack_kernel(how.file, how.memory, ByteOrder::native)(
      how.fill.data(), size_of(how.file), fill.data(), 1, substitutes_of(how.memory, RangeError::clamp, {}));
  Element back{};  // an infinity counts as a misfit, but arrives
  pack_kernel(how.memory, how.file, ByteOrder::native)(fill.data(), size_of(how.memory), back.data(), 1,
                                                       substitutes_of(how.file, RangeError::clamp, {}));
  return range_error == 0 || back == how.fill ? fill : default_fill_of(how.memory);
}

void check_scaled(const Conversion &how) {
  if (how.scaling && how.file == Type::text)
    throw Error(Status::type, "characters cannot be packed", "Packing is for variables of numbers");
}

}  // namespace

Conversion plain_conversion(Type memory, Type file, ByteOrder order) {
  return {memory, file, order, RangeError::clamp, {}, default_fill_of(file)};
}

PackRow pack_row(Type memory_type, Type file_type, ByteOrder order) {
  return PackRow(plain_conversion(memory_type, file_type, order));
}

UnpackRow unpack_row(Type file_type, Type memory_type, ByteOrder order) {
  return UnpackRow(plain_conversion(memory_type, file_type, order));
}

PackRow::PackRow(const Conversion &how)
    : how_(how),
      instead_(substitutes_of(how.file, how.range_error, how.fill)),
      kernel_(pack_kernel(how.scaling ? Type::float64 : how.memory, how.file, how.order)) {
  check_scaled(how);
  if (how.scaling) widen_ = pack_kernel(how.memory, Type::float64, ByteOrder::native);
}

OutOfRange PackRow::operator()(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count) const {
  const OutOfRange range_errors =
      widen_ == nullptr ? kernel_(from, from_stride, to, count, instead_) : pack_scaled(from, from_stride, to, count);
  if (range_errors > 0 && first_ != nullptr && first_->text.empty()) find_first(from, from_stride, count);
  return range_errors;
}

OutOfRange PackRow::pack_scaled(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count) const {
  const bool rounds = !is_real(how_.file);
  const auto [factor, offset] = *how_.scaling;
  double fill = 0;  // of a floating-point type: those of integers replace NaN in the kernel
  if (!rounds)
    pack_kernel(how_.file, Type::float64, ByteOrder::native)(how_.fill.data(), size_of(how_.file),
                                                             reinterpret_cast<std::byte *>(&fill), 1, instead_);
  double values[cached_doubles];
  auto *const bytes = reinterpret_cast<std::byte *>(values);
  OutOfRange range_errors = 0;
  for (int64_t done = 0; done < count; done += cached_doubles) {
    const int64_t n = std::min(cached_doubles, count - done);
    widen_(from + done * from_stride, from_stride, bytes, n, instead_);
    int64_t missing = 0;
    for (int64_t i = 0; i < n; ++i) {
      const bool none = std::isnan(values[i]);
      missing += none;
      const double packed = (values[i] - offset) / factor;
      values[i] = rounds ? std::nearbyint(packed) : none ? fill : packed;
    }
    range_errors += kernel_(bytes, double_bytes, to + done * size_of(how_.file), n, instead_) - (rounds ? missing : 0);
  }
  return range_errors;
}

void PackRow::find_first(const std::byte *from, int64_t from_stride, int64_t count) const {
  PackRow each = *this;
  each.first_ = nullptr;
  Element to;
  for (int64_t i = 0; i < count && first_->text.empty(); ++i)
    if (each(from + i * from_stride, from_stride, to.data(), 1) > 0)
      first_->text = in_words(how_.memory, from + i * from_stride);
}

UnpackRow::UnpackRow(const Conversion &how)
    : how_(how), kernel_(unpack_kernel(how.scaling ? Type::float64 : how.file, how.memory, how.order)) {
  check_scaled(how);
  if (how.file != Type::text) instead_ = substitutes_of(how.memory, how.range_error, fill_in_memory(how));
  if (!how.scaling) return;
  kernel_ = unpack_kernel(Type::float64, how.memory, ByteOrder::native);
  widen_ = unpack_kernel(how.file, Type::float64, how.order);
  pack_kernel(how.file, how.file, how.order)(how.fill.data(), size_of(how.file), fill_in_file_order_.data(), 1, {});
}

OutOfRange UnpackRow::operator()(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count) const {
  const OutOfRange range_errors =
      widen_ == nullptr ? kernel_(from, to, to_stride, count, instead_) : unpack_scaled(from, to, to_stride, count);
  if (range_errors > 0 && first_ != nullptr && first_->text.empty()) find_first(from, count);
  return range_errors;
}

OutOfRange UnpackRow::unpack_scaled(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count) const {
  const bool rounds = !is_real(how_.memory);
  const auto [factor, offset] = *how_.scaling;
  const auto width = static_cast<size_t>(size_of(how_.file));
  double values[cached_doubles];
  auto *const bytes = reinterpret_cast<std::byte *>(values);
  OutOfRange range_errors = 0;
  for (int64_t done = 0; done < count; done += cached_doubles) {
    const int64_t n = std::min(cached_doubles, count - done);
    const std::byte *const stored = from + done * static_cast<int64_t>(width);
    widen_(stored, bytes, double_bytes, n, instead_);
    int64_t missing = 0;
    for (int64_t i = 0; i < n; ++i) {
      const bool fill = std::memcmp(stored + i * static_cast<int64_t>(width), fill_in_file_order_.data(), width) == 0;
      const double value = values[i] * factor + offset;
      values[i] = fill ? std::numeric_limits<double>::quiet_NaN() : rounds ? std::nearbyint(value) : value;
      missing += std::isnan(values[i]);
    }
    range_errors += kernel_(bytes, to + done * to_stride, to_stride, n, instead_) - (rounds ? missing : 0);
  }
  return range_errors;
}

void UnpackRow::find_first(const std::byte *from, int64_t count) const {
  UnpackRow each = *this;
  each.first_ = nullptr;
  Element to;
  for (int64_t i = 0; i < count && first_->text.empty(); ++i) {
    const std::byte *const at = from + i * size_of(how_.file);
    if (each(at, to.data(), size_of(how_.memory), 1) == 0) continue;
    unpack_kernel(how_.file, how_.file, how_.order)(at, to.data(), size_of(how_.file), 1, {});
    first_->text = in_words(how_.file, to.data());
  }
}

}  // namespace sv
