// The growing file of the campaign, written with PnetCDF.
#include <pnetcdf.h>

#include "peer.hpp"

#define MUST(call)                                                               \
  do {                                                                           \
    const int status = call;                                                     \
    if (status != NC_NOERR) svcrash::peer_failed(#call, ncmpi_strerror(status)); \
  } while (false)

namespace {

using namespace svcrash;

struct Pnetcdf {
  static PeerFile define(const Peer &peer);
  static void put_depth(const Peer &peer, const PeerFile &out);
  static void put_record(const Peer &peer, const PeerFile &out, int64_t step);
  static void sync(const PeerFile &out) { MUST(ncmpi_sync(out.id)); }
  static void close(const PeerFile &out) { MUST(ncmpi_close(out.id)); }
};

PeerFile Pnetcdf::define(const Peer &peer) {
  PeerFile out;
  int time = -1, z = -1, y = -1, x = -1;
  MUST(ncmpi_create(MPI_COMM_WORLD, peer.file.c_str(), NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &out.id));
  MUST(ncmpi_def_dim(out.id, "time", NC_UNLIMITED, &time));
  MUST(ncmpi_def_dim(out.id, "z", peer.sizes.nz, &z));
  MUST(ncmpi_def_dim(out.id, "y", peer.sizes.ny, &y));
  MUST(ncmpi_def_dim(out.id, "x", peer.sizes.nx, &x));
  const int flat[] = {y, x}, volume[] = {time, z, y, x};
  MUST(ncmpi_def_var(out.id, "time", NC_DOUBLE, 1, &time, &out.time));
  MUST(ncmpi_def_var(out.id, "depth", NC_FLOAT, 2, flat, &out.depth));
  MUST(ncmpi_def_var(out.id, "temp", NC_DOUBLE, 4, volume, &out.temp));
  MUST(ncmpi_def_var(out.id, "flag", NC_INT, 1, &time, &out.flag));
  MUST(ncmpi_def_var(out.id, "small", NC_BYTE, 1, &time, &out.small));
  const int version = 0;
  MUST(ncmpi_put_att_int(out.id, NC_GLOBAL, "version", NC_INT, 1, &version));
  for (int i = 0; i < peer.sizes.texts; ++i) {
    const std::string text = truth_text(0, i);
    MUST(ncmpi_put_att_text(out.id, NC_GLOBAL, ("text_" + std::to_string(i)).c_str(),
                            static_cast<MPI_Offset>(text.size()), text.c_str()));
  }
  MUST(ncmpi_enddef(out.id));
  return out;
}

void Pnetcdf::put_record(const Peer &peer, const PeerFile &out, int64_t step) {
  const MPI_Offset start[] = {step, 0, peer.first_row, 0}, count[] = {1, peer.sizes.nz, peer.rows, peer.sizes.nx};
  const MPI_Offset one[] = {peer.rank == 0 ? 1 : 0};  // values of one cell are put by one rank
  const double time = static_cast<double>(step), flag = truth({}, var_flag, step, 0), small = truth_small({}, step);
  MUST(ncmpi_put_vara_double_all(out.id, out.time, start, one, &time));
  MUST(ncmpi_put_vara_double_all(out.id, out.temp, start, count, peer.temp(step).data()));
  MUST(ncmpi_put_vara_double_all(out.id, out.flag, start, one, &flag));
  MUST(ncmpi_put_vara_double_all(out.id, out.small, start, one, &small));
}

void Pnetcdf::put_depth(const Peer &peer, const PeerFile &out) {
  const MPI_Offset start[] = {peer.first_row, 0}, count[] = {peer.rows, peer.sizes.nx};
  MUST(ncmpi_put_vara_double_all(out.id, out.depth, start, count, peer.depth().data()));
}

}  // namespace

int main(int argc, char **argv) { return run_peer<Pnetcdf>(argc, argv); }
