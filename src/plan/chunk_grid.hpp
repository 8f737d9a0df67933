// The chunks of a field: boxes of equal shape from its first cell on, numbered in row-major order; those at its edges
// are cut. Plans by chunks are made of it. It alone decides the owner of a chunk, so that all data of a chunk, of any
// call, come to the same rank. A value.
#pragma once

#include <vector>

#include "plan/owners.hpp"
#include "plan/share.hpp"

namespace sv {

class ChunkGrid {
 public:
  /// `field.chunk` has all of the field's dimensions.
  explicit ChunkGrid(const Field &field);

  int64_t chunks() const { return chunks_; }
  /// Of a chunk that is not cut.
  int64_t most_elements() const { return most_elements_; }
  Box box(int64_t number) const;
  /// The numbers of the chunks that have cells of a box of the field, ascending.
  std::vector<int64_t> meeting(const Box &box) const;
  /// The chunk as a stretch of the field's order where it is one, otherwise of its own box.
  Share share(int64_t number) const;
  /// Of how many of the slowest dimensions a part of a chunk may have one cell only, so that it cuts only the slowest
  /// of the dimensions before a grid's, of the grid's, and of those behind them: points (packing/point_rows.hpp) take
  /// each of these groups as one dimension. 0: the whole chunk is such a part.
  int single_dims_for_points(const Field &field, int grid_dims) const;
  /// Part `part` of a chunk, with one cell in each of so many dimensions; empty where the chunk is cut before it.
  Share part(int64_t number, int single_dims, int64_t part) const;
  /// Elements of a part, and parts, of a chunk that is not cut.
  int64_t part_elements(int single_dims) const;
  /// Which one of so many owners has it.
  int owner(int64_t number, int owners) const { return static_cast<int>((number + first_owner_) % owners); }

 private:
  Index shape_, chunk_, counts_;  // counts_: of chunks in each dimension
  int64_t chunks_ = 1, most_elements_ = 1;
  int first_owner_;
  bool are_stretches_;  // of the field's order
};

/// The chunks of one of the owners, or parts of at most `most_elements` of them, in order.
std::vector<Share> chunk_shares(const Field &field, int owner, int owners, int64_t most_elements);

}  // namespace sv
