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

struct Output {
  int id = -1, time = -1, depth = -1, temp = -1, flag = -1, small = -1;
};

Output define(const Peer &peer) {
  Output out;
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

void put_record(const Peer &peer, const Output &out, int64_t step) {
  const MPI_Offset start[] = {step, 0, peer.first_row, 0}, count[] = {1, peer.sizes.nz, peer.rows, peer.sizes.nx};
  const MPI_Offset one[] = {peer.rank == 0 ? 1 : 0};  // values of one cell are put by one rank
  const double time = static_cast<double>(step), flag = truth({}, var_flag, step, 0), small = truth_small({}, step);
  MUST(ncmpi_put_vara_double_all(out.id, out.time, start, one, &time));
  MUST(ncmpi_put_vara_double_all(out.id, out.temp, start, count, peer.temp(step).data()));
  MUST(ncmpi_put_vara_double_all(out.id, out.flag, start, one, &flag));
  MUST(ncmpi_put_vara_double_all(out.id, out.small, start, one, &small));
}

void run(const Peer &peer) {
  peer.say("begin", peer.steps);
  const Output out = define(peer);
  const MPI_Offset start[] = {peer.first_row, 0}, count[] = {peer.rows, peer.sizes.nx};
  MUST(ncmpi_put_vara_double_all(out.id, out.depth, start, count, peer.depth().data()));
  for (int64_t step = 0; step < peer.steps; ++step) {
    put_record(peer, out, step);
    if (!peer.syncs_after(step)) continue;
    MUST(ncmpi_sync(out.id));
    peer.say("committed", step + 1);
    peer.say("durable", step + 1);
  }
  MUST(ncmpi_close(out.id));
  peer.say("committed", peer.steps);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  run(Peer(argc, argv));
  MPI_Finalize();
  return 0;
}
