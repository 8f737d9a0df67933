// The methods that know any workload. Those of Sverdrup and of PnetCDF make the same calls in the same ways.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "method.hpp"

namespace sv_bench {

enum class Way {
  each,      // a collective call per access
  step,      // recorded, and carried out at the end of each step
  all,       // recorded, and carried out at the end
  together,  // one call with a list of all accesses
};

/// A window that all ranks of a node share, in pieces; rank 0 writes or reads a piece while the others place the next.
Peer window_peer(const std::string &name, const Workload &workload, bool reads);
/// Rank 0 gathers piece by piece, orders it and writes it: one write each. Writing only.
Peer gather_peer(const std::string &name, const Workload &workload);
/// Every rank reads its rows with a pread each. Reading only.
Peer pread_peer(const Workload &workload);
using Hints = std::vector<std::pair<std::string, std::string>>;  // of MPI-IO, key and value
Peer pnetcdf_peer(const std::string &name, const Workload &workload, bool reads, Way way, const Hints &hints = {});
/// Every rank reads its own part with serial netCDF, independently of the others. Reading only.
Peer netcdf_read_peer(const Workload &workload);
/// `options`: "key=value". Way::step: ordinary puts, which the option combine=step makes it record.
Peer sverdrup_peer(const std::string &name, const Workload &workload, bool reads, Way way,
                   std::vector<std::string> options);
/// The same with a context for each file, and sub-arrays. Writing only.
Peer sverdrup_once_peer(const std::string &name, const Workload &workload, const std::vector<std::string> &options);

}  // namespace sv_bench
