// The loops of a remapping: values of source cells as they stand one after the other, and their products with the
// weights of links. Local. Weights and Remapping call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accumulator.hpp"
#include "sverdrup/sverdrup.h"

namespace sv::streams {

/// Of target cells. The terms of a cell are added in four lanes: a link's lane is its number in its cell, modulo four.
struct Links {
  std::vector<size_t> begins{0};  // of each cell, and the end
  std::vector<uint32_t> columns;  // the sources, as places among those of this rank
  std::vector<double> weights;
  std::vector<double> totals;  // of the weights of each cell

  size_t cells() const { return totals.size(); }
  /// Ends a cell, whose links were added.
  void end_cell();
};

/// Source values in a row, of type `type`: float or double, NaN where they are missing.
struct SourceValues {
  int type;
  const void *values;
};
/// The type of source values of a field of enum sv_type `type`.
inline int source_type_of(int type) { return type == SV_FLOAT ? SV_FLOAT : SV_DOUBLE; }
inline size_t bytes_of_source(int type) { return type == SV_FLOAT ? sizeof(float) : sizeof(double); }

/// Values of a field, of enum sv_type `kind.type`: from the number `first` on, `stride` from one to the next.
struct FieldValues {
  ValueKind kind;
  const void *values;
  size_t first, stride;
};
/// Copies `count` values, or NaN where they are missing. `to`: of type source_type_of().
void take_sources(const FieldValues &from, size_t count, void *to);
/// The same, where no rank has the sources.
void take_no_sources(int type, size_t count, void *to);

/// The cells of one product.
struct CellRange {
  size_t begin, end;
};
/// NaN where there is no result: where no source is valid, or `needs_all` of them and one is missing. `is_mean`:
/// divided by the sum of the weights of valid sources, if some are missing. `results`: of the first cell of the range,
/// `stride` from one to the next.
struct Products {
  bool needs_all, is_mean;
  double *results;
  size_t stride;
};
void multiply(const Links &links, const SourceValues &sources, const CellRange &cells, const Products &to);

}  // namespace sv::streams
