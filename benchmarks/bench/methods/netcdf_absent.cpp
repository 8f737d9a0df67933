#include <stdexcept>

#include "methods/collected.hpp"
#include "methods/serial_netcdf.hpp"

namespace sv_bench {

void NetcdfReader::open(const Workload &, const std::string &) { throw std::runtime_error("netCDF is not compiled"); }
void NetcdfReader::read(const Workload &, size_t, std::byte *) const {}
void NetcdfReader::close() {}

Peer gather_netcdf_peer(const std::string &name, const Workload &, const Ranks &) {
  return {name, false, "not compiled", {}};
}
Peer gather_and_send_to_peer(const std::string &name, const Workload &, const Ranks &) {
  return {name, false, "not compiled", {}};
}
Peer netcdf_read_peer(const Workload &) { return {"read.netcdf", true, "not compiled", {}}; }

}  // namespace sv_bench
