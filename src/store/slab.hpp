// Slabs: the units in which a store (store/store.hpp) moves values. Values; the rounds and requests make them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "layout/box.hpp"

namespace sv {

/// Elements [first, last) of the row-major order of `box`, a box of one variable (of one record of it).
struct Slab {
  int variable;
  int64_t record;  // 0 for fixed variables
  Box box;
  int64_t first, last;
};

/// One of many slabs in the order of the file, with its values. `touches`: it and the slab before are each one run of
/// the file with nothing but padding between them, which is written as 0. Values that are read stand as far apart.
struct SlabPart {
  Slab slab;
  std::span<std::byte> values;
  bool touches;
};

}  // namespace sv
