// The growing file of the campaign, written with netCDF-4: in parallel, or with serial=1 by one process. deflate=1:
// compressed.
#include <netcdf.h>
#include <netcdf_par.h>

#include "peer.hpp"

#define MUST(call)                                                            \
  do {                                                                        \
    const int status = call;                                                  \
    if (status != NC_NOERR) svcrash::peer_failed(#call, nc_strerror(status)); \
  } while (false)

namespace {

using namespace svcrash;

struct Netcdf4 {
  static PeerFile define(const Peer &peer);
  static void put_depth(const Peer &peer, const PeerFile &out);
  static void put_record(const Peer &peer, const PeerFile &out, int64_t step);
  static void sync(const PeerFile &out) { MUST(nc_sync(out.id)); }
  static void close(const PeerFile &out) { MUST(nc_close(out.id)); }
};

PeerFile Netcdf4::define(const Peer &peer) {
  PeerFile out;
  int time = -1, z = -1, y = -1, x = -1;
  const bool is_serial = peer.number("serial", 0) != 0;
  const int mode = NC_CLOBBER | NC_NETCDF4;
  if (is_serial)
    MUST(nc_create(peer.file.c_str(), mode, &out.id));
  else
    MUST(nc_create_par(peer.file.c_str(), mode, MPI_COMM_WORLD, MPI_INFO_NULL, &out.id));
  MUST(nc_def_dim(out.id, "time", NC_UNLIMITED, &time));
  MUST(nc_def_dim(out.id, "z", static_cast<size_t>(peer.sizes.nz), &z));
  MUST(nc_def_dim(out.id, "y", static_cast<size_t>(peer.sizes.ny), &y));
  MUST(nc_def_dim(out.id, "x", static_cast<size_t>(peer.sizes.nx), &x));
  const int flat[] = {y, x}, volume[] = {time, z, y, x};
  MUST(nc_def_var(out.id, "time", NC_DOUBLE, 1, &time, &out.time));
  MUST(nc_def_var(out.id, "depth", NC_FLOAT, 2, flat, &out.depth));
  MUST(nc_def_var(out.id, "temp", NC_DOUBLE, 4, volume, &out.temp));
  MUST(nc_def_var(out.id, "flag", NC_INT, 1, &time, &out.flag));
  MUST(nc_def_var(out.id, "small", NC_BYTE, 1, &time, &out.small));
  if (peer.number("deflate", 0) != 0) MUST(nc_def_var_deflate(out.id, out.temp, 1, 1, 1));
  const int version = 0;
  MUST(nc_put_att_int(out.id, NC_GLOBAL, "version", NC_INT, 1, &version));
  for (int i = 0; i < peer.sizes.texts; ++i) {
    const std::string text = truth_text(0, i);
    MUST(nc_put_att_text(out.id, NC_GLOBAL, ("text_" + std::to_string(i)).c_str(), text.size(), text.c_str()));
  }
  MUST(nc_enddef(out.id));
  for (const int variable : {out.time, out.depth, out.temp, out.flag, out.small})
    if (!is_serial) MUST(nc_var_par_access(out.id, variable, NC_COLLECTIVE));
  return out;
}

void Netcdf4::put_record(const Peer &peer, const PeerFile &out, int64_t step) {
  const auto size = [](int64_t n) { return static_cast<size_t>(n); };
  const size_t start[] = {size(step), 0, size(peer.first_row), 0};
  const size_t count[] = {1, size(peer.sizes.nz), size(peer.rows), size(peer.sizes.nx)};
  const size_t one[] = {peer.rank == 0 ? size_t{1} : size_t{0}};  // values of one cell are put by one rank
  const double time = static_cast<double>(step), flag = truth({}, var_flag, step, 0), small = truth_small({}, step);
  MUST(nc_put_vara_double(out.id, out.time, start, one, &time));
  MUST(nc_put_vara_double(out.id, out.temp, start, count, peer.temp(step).data()));
  MUST(nc_put_vara_double(out.id, out.flag, start, one, &flag));
  MUST(nc_put_vara_double(out.id, out.small, start, one, &small));
}

void Netcdf4::put_depth(const Peer &peer, const PeerFile &out) {
  const size_t start[] = {static_cast<size_t>(peer.first_row), 0};
  const size_t count[] = {static_cast<size_t>(peer.rows), static_cast<size_t>(peer.sizes.nx)};
  MUST(nc_put_vara_double(out.id, out.depth, start, count, peer.depth().data()));
}

}  // namespace

int main(int argc, char **argv) { return run_peer<Netcdf4>(argc, argv); }
