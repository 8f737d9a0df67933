// What waits in a file: requests that the model has posted, puts that are recorded until the step ends, and what the
// ranks have told each other of such requests before. Local.
#pragma once

#include <memory>

#include "transfer/request_codec.hpp"
#include "transfer/requests.hpp"

namespace sv {

struct Waiting {
  Pending pending;
  Recorded recorded;
  RequestMemory memory;
  RequestMemory memory_of_alike;  // of requests that all ranks make alike, and so never tell: its own, for each rank's
                                  // `memory` must know the same
};

/// Made when it is first asked for.
Waiting &waiting_in(File &file);

}  // namespace sv
