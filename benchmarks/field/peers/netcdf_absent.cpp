#include <stdexcept>

#include "field.hpp"

namespace sv_bench {

void add_netcdf4(std::vector<Peer> &peers, const Block &, const Compression &) {
  peers.push_back({"netcdf4", false, "not compiled", {}});
  peers.push_back({"netcdf4.contiguous", false, "not compiled", {}});
}
void add_netcdf4_reader(std::vector<Peer> &peers, const Block &) {
  peers.push_back({"read.netcdf4.deflate", true, "not compiled", {}});
}
void add_serial_netcdf(std::vector<Peer> &peers, const Block &, const Compression &) {
  peers.push_back({"gather", false, "not compiled", {}});
}
void add_file_per_rank(std::vector<Peer> &peers, const Block &) {
  peers.push_back({"file_per_rank", false, "not compiled", {}});
}

std::vector<float> values_of_file(const Block &, const std::string &, const std::string &) {
  throw std::runtime_error("--values: sv-bench was built without netCDF-C");
}

}  // namespace sv_bench
