#include "packing/piece.hpp"

namespace sv {

MemoryView array_view(const Index &shape, const Values &values) {
  MemoryView view{values.data, contiguous_strides(shape, size_of(values.type)), values.device};
  for (int d = 0; values.strides != nullptr && d < shape.n; ++d) view.stride_bytes[d] = values.strides[d];
  return view;
}

Piece piece_of(const MemoryView &block, const Box &box, const Index &local) {
  Piece piece{box, block};
  for (int d = 0; d < box.dims(); ++d) piece.memory.first += local[d] * block.stride_bytes[d];
  return piece;
}

Index contiguous_strides(const Index &shape, int64_t element_bytes) {
  Index stride(shape.n, element_bytes);
  for (int d = shape.n - 2; d >= 0; --d) stride[d] = stride[d + 1] * shape[d + 1];
  return stride;
}

}  // namespace sv
