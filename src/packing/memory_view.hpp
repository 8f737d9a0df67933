// How the rows of a rank's block get into the order of the file and back (pack and unpack). The loops of src/transfer
// call this for each part of a block that goes to one writer. It touches memory only: it neither communicates nor reads
// or writes files.
#pragma once

#include "base/convert.hpp"
#include "packing/piece.hpp"

namespace sv {

/// Where cells of `box`, which is inside the piece, begin, if they stand in memory of the host in their order, one
/// behind the other; otherwise nullptr.
std::byte *run_of(const Piece &piece, const Box &box, int64_t element_bytes);
/// The same, where `row` (a PackRow or UnpackRow) leaves values as they are: no buffer is needed between these cells
/// and the file.
template <class Row>
std::byte *unconverted_run_of(const Piece &piece, const Box &box, const Row &row) {
  return row.is_plain() && !row.swaps() ? run_of(piece, box, row.file_bytes()) : nullptr;
}

/// Packs what `piece` has of `share` into a buffer: strips the halo, converts and orders in one pass. Returns the
/// number of values that did not fit the file's type. Throws Error(device) where memory is on a
/// device.
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
