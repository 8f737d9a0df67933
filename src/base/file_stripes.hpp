// The stripes of a file on a parallel file system: a value. The plan chooses them for a new file
// (plan/stripe_choice.hpp), and a store asks the file system for them (store/stripe_calls.hpp).
#pragma once

#include <cstdint>

namespace sv {

struct FileStripes {
  int count = 0;             // 0: as the file system chooses
  int64_t unit_bytes = 0;    // of one stripe; 0: as the file system chooses
  bool overstriped = false;  // a storage target may have several of them

  bool is_chosen() const { return count > 0; }
};

}  // namespace sv
