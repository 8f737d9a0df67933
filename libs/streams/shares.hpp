// Numbers from 0 that are divided among the ranks in order, as evenly as possible; where there are more ranks than
// numbers, these are spread over all of them. Values; local.
#pragma once

#include <cstdint>

namespace sv::streams {

struct Shares {
  int64_t length;
  int64_t ranks;

  /// The first number of a rank; begin(ranks) is the end.
  int64_t begin(int64_t rank) const { return length * rank / ranks; }
  int64_t owner(int64_t number) const { return ((number + 1) * ranks - 1) / length; }
};

}  // namespace sv::streams
