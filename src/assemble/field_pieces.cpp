#include "assemble/field_pieces.hpp"

namespace sv {

Piece patch_piece(const Field &field, const Patch &patch, const MemoryView &block) {
  Box box = Box::whole(field.shape);
  Index local(field.shape.n, 0);
  for (int d = 0; d < patch.box.dims(); ++d) {
    box.start[field.first_axis + d] = patch.box.start[d];
    box.count[field.first_axis + d] = patch.box.count[d];
    local[field.first_axis + d] = patch.local[d];
  }
  return piece_of(block, box, local);
}

}  // namespace sv
