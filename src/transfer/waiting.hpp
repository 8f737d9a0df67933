// The waiting work of a file: requests that the model has posted, puts that are recorded until the step ends, and
// earlier exchanges of such requests between the ranks. Local.
#pragma once

#include <memory>

#include "transfer/request_codec.hpp"
#include "transfer/requests.hpp"

namespace sv {

struct Waiting {
  Pending pending;
  Recorded recorded;
  RequestMemory memory;
  // of requests that all ranks make alike, and so never exchange: its own, for each rank's
  RequestMemory memory_of_alike;
  // `memory` must know the same
};

/// Made when it is first asked for.
Waiting &waiting_in(File &file);

}  // namespace sv
