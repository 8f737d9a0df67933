#include "methods/methods.hpp"

namespace sv_bench {

Peer pnetcdf_peer(const std::string &name, const Workload &, bool reads, Way) {
  return {(reads ? "read." : "") + name, reads, "not compiled", {}};
}
std::string pnetcdf_version() { return {}; }

}  // namespace sv_bench
