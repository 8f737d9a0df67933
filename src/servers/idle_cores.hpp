// How long the cores on which a thread may run have had nothing to do, as the system counts it. Local, about 0.1 ms.
#pragma once

namespace sv {

/// Seconds since the start of the system, of all cores together on which the calling thread may run; what others use is
/// not idle. 0 where the system does not tell.
double idle_core_seconds();

}  // namespace sv
