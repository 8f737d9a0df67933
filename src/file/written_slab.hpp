// A variable, or one record of it, that a call writes: what is noted of what is under way, and of what has its values.
#pragma once

#include <cstdint>

namespace sv {

struct WrittenSlab {
  int variable;
  int64_t record;
};

}  // namespace sv
