// Which cells of which variables are where in a file: for vard, whose datatypes say where values are in the file.
#pragma once

#include <vector>

#include "dataset.hpp"

namespace sv::pnetcdf {

/// Cells of one variable that follow each other in the order of the values: boxes, each with a start and a count per
/// dimension.
struct Cells {
  int variable;
  size_t dims;
  int64_t cells = 0;
  std::vector<MPI_Offset> numbers;  // of each box: its starts, then its counts
  size_t boxes() const { return dims == 0 ? 1 : numbers.size() / (2 * dims); }
};

class Places {
 public:
  /// Of the file as it is defined.
  explicit Places(Dataset &own);

  /// Appends the cells that the file has from there on, as far as `bytes`. Throws NC_EINVALCOORDS where there is no
  /// cell, NC_EMULTITYPES for a cell of another type than the first.
  void find(int64_t offset_bytes, int64_t bytes, std::vector<Cells> &found) const;

 private:
  struct Slab {  // of a variable, or of a record of it
    int64_t begin_bytes, bytes;
    int variable;
  };
  /// The slab that holds a byte.
  const Slab &slab_at(int64_t offset_bytes, const std::vector<Slab> &slabs) const;

  Dataset &own_;
  std::vector<Slab> fixed_, recorded_;  // in the order of the file; those with records from the first record on
  int64_t records_begin_ = 0, record_bytes_ = 0;
};

}  // namespace sv::pnetcdf
