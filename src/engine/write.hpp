// Writing: collective, all of it.
#pragma once

#include <functional>

#include "assemble/memory_view.hpp"
#include "assemble/point_rows.hpp"
#include "engine/file.hpp"
#include "layout/strided.hpp"

namespace sv {

/// A distributed field. `values.data` points at the first element of this rank's array, halo included.
void put(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);
/// A replicated field: every rank passes the same.
void put_replicated(File &file, int variable, int64_t record, const Values &values);
/// A sub-array per rank; `request` has the variable's dimensions, the record dimension included, and so has
/// `values.stride`. Where cells do not follow one another, in batches of bounded memory.
void put_subarray(File &file, int variable, const Strided &request, const Values &values);

/// A caller's array of `shape`.
MemoryView array_view(const Index &shape, const Values &values);
/// This rank's block of a field in the caller's array: past the halo.
MemoryView block_view(const Field &field, const Decomp &decomp, const Values &values);
/// A patch of a block in the field's dimensions.
Piece patch_piece(const Field &field, const Patch &patch, const MemoryView &block);

/// Where this rank's patches lie in memory, and how their values are converted (PackRow, UnpackRow; borrowed).
template <class Row>
struct RowPiece {
  Piece piece;
  const Row *row;
};
template <class Row>
using BlockPieces = std::function<RowPiece<Row>(const Patch &)>;
template <class Row>
BlockPieces<Row> pieces_of_block(const Field &field, const MemoryView &block, const Row &row) {
  return [field, block, &row](const Patch &patch) { return RowPiece<Row>{patch_piece(field, patch, block), &row}; };
}

/// All that this rank has of a field: patches, or points (`points` is then their array). Borrows.
template <class Row>
struct FieldPieces {
  FieldPieces(BlockPieces<Row> pieces) : of_patch(std::move(pieces)) {}
  FieldPieces(const PointView &view, const Row &how) : points(&view), row(&how) {}

  BlockPieces<Row> of_patch;
  const PointView *points = nullptr;
  const Row *row = nullptr;
};

/// This rank's part of a distributed field in the caller's array: a block, or points.
struct FieldMemory {
  bool has_points = false;
  MemoryView block;
  PointView points;
  Index shape;  // of the array's own part, for points
};
FieldMemory field_memory(const Field &field, const Decomp &decomp, const Values &values);
/// `memory` and `row` must outlive it.
template <class Row>
FieldPieces<Row> field_pieces(const Field &field, const FieldMemory &memory, const Row &row) {
  if (memory.has_points) return {memory.points, row};
  return pieces_of_block(field, memory.block, row);
}
/// A field whose layout and validity all ranks have agreed upon.
struct FieldJob {
  File &file;
  int variable;
  int64_t record;  // SV_NO_RECORD for fixed variables
  std::shared_ptr<const Layout> layout;
  int first_axis;
  Route route;
};
/// Of what is about to be put: see engine/conversion.hpp.
void check_fits(const FieldJob &job, const Field &field, const FieldMemory &memory, const PackRow &row);
/// The same plan on every rank. Local.
Plan plan_of(const FieldJob &job);
void write_field(const FieldJob &job, const Plan &plan, const FieldPieces<PackRow> &pieces);

/// Agrees on how the writing of a slab ended: an error of any rank fails the file, and is thrown on every rank.
void conclude_writing(File &file, int variable, int64_t record, std::optional<Error> error);

/// What must be equal on all ranks of a call for a distributed field, in words.
std::string on_decomp(const Decomp *decomp, int first_axis);

}  // namespace sv
