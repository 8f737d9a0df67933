// The unput cells of slabs that were put in part: netCDF reads fill values there. Of variables
// whose store does not fill such cells itself, a serial file keeps them here, and fills them before anybody reads them.
// A value.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "layout/box.hpp"
#include "store/byte_ranges.hpp"

namespace sv {

class UnputCells {
 public:
  struct Slab {
    int variable;
    int64_t record;
    bool operator<(const Slab &other) const {
      return variable != other.variable ? variable < other.variable : record < other.record;
    }
  };

  /// A box of cells is put. Returns whether the slab's other cells must be filled before: they are many stretches, and
  /// are not kept here any more.
  bool must_fill_before(const Slab &slab, const Box &cells, const Index &shape);
  /// The first `records` slabs of a variable were put, whole, before any other call.
  void set_put(int variable, int64_t records);
  /// No cell of the slab was put so far: all of it is here from now on.
  void add_untouched(const Slab &slab, int64_t elements);
  /// In elements of the slab's order; none where all are put, or none was.
  ByteRanges take(const Slab &slab);
  /// The slabs that have such cells.
  std::vector<Slab> slabs() const;

 private:
  bool touch(const Slab &slab);

  std::map<int, ByteRanges> touched_;  // records, by variable
  std::map<Slab, ByteRanges> cells_;
};

}  // namespace sv
