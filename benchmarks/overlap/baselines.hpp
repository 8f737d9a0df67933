// The runs with which a run with output is compared.
#pragma once

#include "method.hpp"

namespace sv_bench {

/// The model alone.
Peer no_output_peer(const std::string &name, const Workload &workload);
/// Each step's values copied out of the arrays with their guard cells, in order and with their bytes swapped, into
/// memory of this rank that was touched before: the least work of handing over.
Peer pack_peer(const std::string &name, const Workload &workload);

}  // namespace sv_bench
