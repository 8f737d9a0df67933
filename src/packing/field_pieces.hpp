// The memory positions of this rank's part of a field, patch by patch or as points, and the conversion of its values.
// Code that packs or unpacks a field uses it.
#pragma once

#include <functional>

#include "packing/memory_view.hpp"
#include "packing/point_rows.hpp"
#include "plan/plan.hpp"

namespace sv {

/// Where a patch lies, and how its values are converted (PackRow, UnpackRow; borrowed).
template <class Row>
struct RowPiece {
  Piece piece;
  const Row *row;
};
template <class Row>
using BlockPieces = std::function<RowPiece<Row>(const Patch &)>;

/// All that this rank has of a field: patches, or points (`points` is then their array). Borrows.
template <class Row>
struct FieldPieces {
  FieldPieces(BlockPieces<Row> pieces) : of_patch(std::move(pieces)) {}
  FieldPieces(const PointView &view, const Row &how) : points(&view), row(&how) {}

  BlockPieces<Row> of_patch;
  const PointView *points = nullptr;
  const Row *row = nullptr;
};

/// A patch of a block in the field's dimensions.
inline Piece patch_piece(const Field &field, const Patch &patch, const MemoryView &block) {
  Box box = Box::whole(field.shape);
  Index local(field.shape.n, 0);
  for (int d = 0; d < patch.box.dims(); ++d) {
    box.start[field.first_axis + d] = patch.box.start[d];
    box.count[field.first_axis + d] = patch.box.count[d];
    local[field.first_axis + d] = patch.local[d];
  }
  return piece_of(block, box, local);
}

template <class Row>
BlockPieces<Row> pieces_of_block(const Field &field, const MemoryView &block, const Row &row) {
  return [field, block, &row](const Patch &patch) { return RowPiece<Row>{patch_piece(field, patch, block), &row}; };
}

}  // namespace sv
