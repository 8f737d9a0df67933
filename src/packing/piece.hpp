// How a rank's block, or another array, lies in the model's memory, halo included. The loops of src/transfer and all
// code of packing use these values; nothing here touches the memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/type.hpp"
#include "plan/share.hpp"

namespace sv {

class Device;

/// The caller's array, borrowed for one call. `first`: its first own cell (past the halo); `stride_bytes`: between
/// neighbours, for each of the field's dimensions. `device`: where the memory is, if the processor cannot reach it.
struct MemoryView {
  std::byte *first = nullptr;
  Index stride_bytes;
  const Device *device = nullptr;
};

/// Values in the caller's memory: borrowed for one call. `strides`: nullptr for contiguous, otherwise bytes for each of
/// the variable's dimensions (without the record, unless the call names it).
struct Values {
  Type type{};
  std::byte *data = nullptr;
  const int64_t *strides = nullptr;
  const Device *device = nullptr;  // as of MemoryView
};

/// Values in memory: of a block (without its halo), of a whole array, or of a region, the record dimension included.
struct MemoryBlock {
  Index shape;
  MemoryView view;
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

/// Contiguous row-major strides of `shape`.
Index contiguous_strides(const Index &shape, int64_t element_bytes);

}  // namespace sv
