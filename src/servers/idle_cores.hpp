// How long the cores on which a thread may run have had nothing to do, as the system counts it. Local, about 0.1 ms.
#pragma once

namespace sv {

/// Idle seconds since the start of the system, of all cores together on which the calling thread may run; time of other
/// programs is not idle. 0 if the system does not report it.
double idle_core_seconds();

}  // namespace sv
