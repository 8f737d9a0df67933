// The choice of stripes for a new file on a file system that stripes each file as a program asks (Lustre, BeeGFS). The
// home of a file calls it when the definitions are complete, and sv-plan for its drawings. Pure: all ranks compute the
// same.
#pragma once

#include <cstdint>

#include "base/file_stripes.hpp"

namespace sv {

/// The user's request: the keys file_system.stripe_count and file_system.overstriping.
struct StripeRequest {
  enum class Count { directory, automatic, all, given };
  Count count = Count::directory;
  int n = 0;  // if given
  bool overstriping = false;
};

/// The largest number of stripes of a Lustre file.
constexpr int most_stripes = 2000;

struct StripeFacts {
  int targets = 0;         // storage targets of the file system; 0: it stripes no file as a program asks
  int64_t unit_bytes = 0;  // of ownership in the file
  int64_t step_bytes = 0;  // that one step writes, or the variables without records
  int writers = 1;         // at most
};

/// Not chosen if the request leaves it to the directory, or the file system takes no request. `auto` gives as many
/// stripes as one step fills, at most four for each writer. Without overstriping, a target has at most one.
FileStripes choose_stripes(const StripeRequest &request, const StripeFacts &facts);

}  // namespace sv
