// Writing: collective, all of it.
#pragma once

#include <functional>

#include "assemble/memory_view.hpp"
#include "engine/file.hpp"
#include "engine/strided.hpp"

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

/// A field whose layout and validity all ranks have agreed upon.
struct FieldJob {
  File &file;
  int variable;
  int64_t record;  // SV_NO_RECORD for fixed variables
  std::shared_ptr<const Layout> layout;
  int first_axis;
  Route route;
};
/// The same plan on every rank. Local.
Plan plan_of(const FieldJob &job);
void write_field(const FieldJob &job, const Plan &plan, const BlockPieces<PackRow> &pieces);

/// Agrees on how the writing of a slab ended: an error of any rank fails the file, and is thrown on every rank.
void conclude_writing(File &file, int variable, int64_t record, std::optional<Error> error);

/// What must be equal on all ranks of a call for a distributed field, in words.
std::string on_decomp(const Decomp *decomp, int first_axis);

}  // namespace sv
