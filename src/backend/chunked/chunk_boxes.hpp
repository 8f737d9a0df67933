// Chunks as boxes of a variable's cells, independent of the file. The stores whose files have chunks (netcdf4, zarr)
// divide the given values by them. Values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "backend/boxes.hpp"
#include "layout/box.hpp"
#include "model/schema.hpp"

namespace sv {

/// A chunk of a variable, by its first cell.
struct ChunkKey {
  int variable;
  Index cell;
  bool operator==(const ChunkKey &other) const { return variable == other.variable && cell == other.cell; }
  bool operator<(const ChunkKey &other) const {
    if (variable != other.variable) return variable < other.variable;
    return std::lexicographical_compare(cell.begin(), cell.end(), other.cell.begin(), other.cell.end());
  }
};

/// Lengths of a variable, with no end where a dimension is unlimited: chunks are not cut there.
Index length_of(const Schema &schema, const Variable &variable);

/// The cells of a sub-array.
Box box_of(const SubArray &part);

/// A chunk that a box of cells meets. `stored`: as it stands in the file; `whole`: as far as the variable goes; `part`:
/// what the box has of it.
struct ChunkOverlap {
  Box stored, whole, part;
};
/// `length`: of the variable.
void for_chunks(const Box &wanted, const Index &length, const Index &chunk,
                const std::function<void(const ChunkOverlap &)> &visit);

}  // namespace sv
