// How a rank's block lies in the model's memory, halo included, and how its rows get into the order of the file and
// back (pack and unpack). The loops of src/transfer call this for each part of a block that goes to one writer. It
// touches memory only: it neither communicates nor reads or writes files.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/convert.hpp"
#include "layout/box.hpp"
#include "plan/plan.hpp"

namespace sv {

/// The caller's array, borrowed for one call. `first`: its first own cell (past the halo); `stride_bytes`: between
/// neighbours, for each of the field's dimensions.
struct MemoryView {
  std::byte *first = nullptr;
  Index stride_bytes;
};

/// Values in the caller's memory: borrowed for one call. `strides`: nullptr for contiguous, otherwise bytes for each of
/// the variable's dimensions (without the record, unless the call names it).
struct Values {
  Type type{};
  std::byte *data = nullptr;
  const int64_t *strides = nullptr;
};
/// A caller's array of `shape`.
MemoryView array_view(const Index &shape, const Values &values);

/// A box of the field as it lies in somebody's memory: cell box.start lies at `first`.
struct Piece {
  Box box;
  MemoryView memory;
};

/// Where a patch of a block lies: `local` (of the field's dimensions) is its place in the block.
Piece piece_of(const MemoryView &block, const Box &box, const Index &local);

/// How what a rank has of a share stands in a buffer: at its places in the share, or, in a message, one row after the
/// other.
enum class Form { in_place, compact };

/// Where cells of `box`, which is inside the piece, begin, if they stand in memory in their order, one behind the
/// other; otherwise nullptr.
std::byte *run_of(const Piece &piece, const Box &box, int64_t element_bytes);

/// Contiguous row-major strides of `shape`.
Index contiguous_strides(const Index &shape, int64_t element_bytes);

/// Packs what `piece` has of `share` into a buffer: strips the halo, converts and orders in one pass. Returns the
/// number of values that did not fit the file's type.
OutOfRange pack(const Piece &piece, const Share &share, const PackRow &row, Form form, std::byte *to);
/// The way back.
OutOfRange unpack(const Piece &piece, const Share &share, const UnpackRow &row, Form form, const std::byte *from);

/// From a compact body to the rows' final positions, and back, as a writer does with a message. `box`: the sender's
/// patch. They return the end of the body.
const std::byte *spread_rows(const Box &box, const Share &share, int64_t element_bytes, const std::byte *compact,
                             std::byte *to);
std::byte *gather_rows(const Box &box, const Share &share, int64_t element_bytes, const std::byte *from,
                       std::byte *compact);

}  // namespace sv
