#include "peer.hpp"

namespace sv_bench {

void add_pnetcdf(std::vector<Peer> &peers) { peers.push_back({"pnetcdf", false, "not compiled", {}}); }
void add_pnetcdf_reading(std::vector<Peer> &peers) { peers.push_back({"read.pnetcdf", true, "not compiled", {}}); }
std::string pnetcdf_version() { return {}; }

}  // namespace sv_bench
