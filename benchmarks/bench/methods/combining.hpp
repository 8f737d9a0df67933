// The methods that the workloads of Gao et al. 2009 compare.
#pragma once

#include "methods/methods.hpp"

namespace sv_bench {

/// Per variable, explicit (one call with a list) and implicit (recorded, then carried out), by Sverdrup and PnetCDF,
/// and the floor.
inline void add_combining_peers(std::vector<Peer> &peers, const Workload &workload, bool reads,
                                const std::vector<std::string> &settings) {
  struct Named {
    const char *name;
    Way way;
  };
  constexpr Named ways[] = {{"per_variable", Way::each}, {"explicit", Way::together}, {"implicit", Way::all}};
  for (const Named &named : ways)
    peers.push_back(sverdrup_peer(std::string("sverdrup.") + named.name, workload, reads, named.way, settings));
  for (const Named &named : ways)
    peers.push_back(pnetcdf_peer(std::string("pnetcdf.") + named.name, workload, reads, named.way));
  peers.push_back(window_peer("floor.window", workload, reads));
}

}  // namespace sv_bench
