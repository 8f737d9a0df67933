#include "points/peers.hpp"

namespace sv_bench {

Peer pnetcdf_reorder_peer(const std::string &name, const Workload &, Partition, int) {
  return {name, false, "not compiled", {}};
}
Peer pnetcdf_varn_peer(const std::string &name, const Workload &) { return {name, false, "not compiled", {}}; }
Peer pnetcdf_paper_peer(const std::string &name, const Workload &, const PaperRun &) {
  return {name, false, "not compiled", {}};
}

}  // namespace sv_bench
