#include "peer.hpp"

namespace sv_bench {

void add_netcdf4(std::vector<Peer> &peers) {
  peers.push_back({"netcdf4", false, "not compiled", {}});
  peers.push_back({"netcdf4.contiguous", false, "not compiled", {}});
}
void add_gather(std::vector<Peer> &peers) { peers.push_back({"gather", false, "not compiled", {}}); }
void add_file_per_rank(std::vector<Peer> &peers) { peers.push_back({"file_per_rank", false, "not compiled", {}}); }
std::optional<bool> check_with_netcdf(const Block &, const std::string &) { return {}; }
std::string netcdf_version() { return {}; }

}  // namespace sv_bench
