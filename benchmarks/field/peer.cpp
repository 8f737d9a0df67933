#include "peer.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace sv_bench {

void Method::remove_one(const std::string &path) const {
  if (block_.rank == 0 && unlink(path.c_str()) != 0)
    throw std::runtime_error("cannot remove '" + path + "': " + std::strerror(errno));
}

bool all_ranks(const Block &block, bool mine) {
  int all = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, block.comm);
  return all == 1;
}

std::vector<Peer> all_peers() {
  std::vector<Peer> peers;
  add_sverdrup(peers);
  add_floor(peers);
  add_pnetcdf(peers);
  add_netcdf4(peers);
  add_sverdrup_stores(peers);
  add_gather(peers);
  add_file_per_rank(peers);
  add_sverdrup_reading(peers);
  add_pread(peers);
  add_pnetcdf_reading(peers);
  return peers;
}

}  // namespace sv_bench
