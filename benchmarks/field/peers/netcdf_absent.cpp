#include "field.hpp"

namespace sv_bench {

void add_netcdf4(std::vector<Peer> &peers, const Block &) {
  peers.push_back({"netcdf4", false, "not compiled", {}});
  peers.push_back({"netcdf4.contiguous", false, "not compiled", {}});
}
void add_serial_netcdf(std::vector<Peer> &peers, const Block &) {
  peers.push_back({"gather", false, "not compiled", {}});
}
void add_file_per_rank(std::vector<Peer> &peers, const Block &) {
  peers.push_back({"file_per_rank", false, "not compiled", {}});
}

}  // namespace sv_bench
