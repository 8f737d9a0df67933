#include "methods/collected.hpp"

namespace sv_bench {

Peer pnetcdf_peer(const std::string &name, const Workload &, bool reads, Way, const Hints &) {
  return {(reads ? "read." : "") + name, reads, "not compiled", {}};
}
Peer collected_pnetcdf_peer(const std::string &name, const Workload &, const Domains &, const Hints &) {
  return {name, false, "not compiled", {}};
}
std::string pnetcdf_version() { return {}; }

}  // namespace sv_bench
