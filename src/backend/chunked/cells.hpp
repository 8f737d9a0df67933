// Runs of cells that are contiguous both in a file and in memory. Code that moves part of a variable or of a chunk
// between the two goes through them. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "layout/box.hpp"

namespace sv {

/// Calls visit(position in `file`, position in `memory`, elements) for the cells of `part`, which is inside both, in
/// the order of the file.
template <class Visit>
void for_common_runs(const Box &part, const Box &file, const Box &memory, Visit visit) {
  if (part.dims() == 0) return visit(int64_t{0}, int64_t{0}, int64_t{1});
  int64_t in_file = 0, in_memory = 0, elements = 0;
  RowCursor rows(part, file, 0, file.elements());
  for (Row row; rows.next(row);) {
    const int64_t at = position(memory, row.start);
    if (elements > 0 && in_file + elements == row.position && in_memory + elements == at) {
      elements += row.elements;
      continue;
    }
    if (elements > 0) visit(in_file, in_memory, elements);
    in_file = row.position;
    in_memory = at;
    elements = row.elements;
  }
  if (elements > 0) visit(in_file, in_memory, elements);
}

/// Whether the cells of `part`, which is not empty, stand in `memory` one behind the other.
inline bool is_one_run(const Box &part, const Box &memory) {
  Index last = part.start;
  for (int d = 0; d < part.dims(); ++d) last[d] += part.count[d] - 1;
  return position(memory, last) - position(memory, part.start) + 1 == part.elements();
}

}  // namespace sv
