// The parts of a file that only the engine keeps with it: requests that the model has posted, puts that are recorded
// until the step ends, earlier exchanges of such requests between the ranks, orders of points, and its series. The
// engine makes them with the file (File::engine). Local.
#pragma once

#include <memory>

#include "transfer/request_codec.hpp"
#include "transfer/requests.hpp"

namespace sv {

class Orders;
class Series;

struct EngineParts {
  Pending pending;
  Recorded recorded;
  RequestMemory memory;            // of requests that ranks exchange
  RequestMemory memory_of_alike;   // of requests that all ranks make alike, and so never exchange: its own, for each
                                   // rank's `memory` must know the same
  std::shared_ptr<Orders> orders;  // orders_of makes it; files of a series share it
  std::shared_ptr<Series> series;  // nullptr: it is none
};

}  // namespace sv
