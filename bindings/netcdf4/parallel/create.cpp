// The entry for nc_create_par: all ranks decide together whether a new file is undecided, or the real library's at
// once.
#include <cstdio>
#include <cstring>

#include "../deciding.hpp"
#include "engine.hpp"

namespace sv::netcdf4 {

namespace {

/// A handle of MPI that came as a pointer, in a register.
template <class Handle>
Handle handle_in(void *given) {
  Handle made;
  std::memcpy(&made, &given, sizeof made);
  return made;
}

MPI_Comm comm_of(const sv_netcdf4_call &call) {
  const auto comm = handle_in<MPI_Comm>(call.comm);
  return call.is_fortran == 0 ? comm : MPI_Comm_f2c(handle_in<MPI_Fint>(call.comm));
}

MPI_Info info_of(const sv_netcdf4_call &call) {
  const auto info = handle_in<MPI_Info>(call.info);
  return call.is_fortran == 0 ? info : MPI_Info_f2c(handle_in<MPI_Fint>(call.info));
}

/// Why this rank would leave the file to netCDF; empty: it would not.
std::string reason_to_leave(const sv_netcdf4_call &call) {
  if ((call.mode & NC_NETCDF4) == 0) return "opened in parallel, and not netCDF-4";
  return reason_against_new_file(call.path, call.mode & ~NC_MPIIO);
}

/// Collective. Whether all ranks would take it over, with the same mode.
bool all_agree(MPI_Comm comm, int mode, std::string &reason) {
  int most[] = {reason.empty() ? 0 : 1, mode, -mode};
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT, MPI_MAX, comm);
  const bool all = most[0] == 0 && most[1] == -most[2];
  if (!all && reason.empty()) reason = "ranks ask for different things";
  return all;
}

/// Collective. nullptr with a `reason`: the real library makes it.
Dataset *taken_over(const sv_netcdf4_call &call, MPI_Comm comm, std::string &reason) {
  reason = reason_to_leave(call);
  if (!all_agree(comm, call.mode, reason)) return nullptr;
  const Context *const context = context_for(comm, true, reason);
  if (context == nullptr) return nullptr;
  char take_over[8] = "";
  if (sv_inq_setting(context->io, call.path, "take_over", nullptr, take_over) == SV_OK &&
      std::string(take_over) == "false")
    reason = "the configuration says take_over: false";
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  auto made = std::make_unique<Dataset>();
  made->caller = call.caller;
  made->path = call.path;
  made->mode = call.mode;
  made->engine = std::make_unique<ParallelEngine>(
      ParallelCall{call.caller, call.path, call.mode, context->comm, info_of(call)}, rank, context->ranks);
  Dataset &own = keep(std::move(made));
  if (reason.empty() && !keep_definitions(own)) reason = "netCDF cannot keep its definitions in memory";
  if (!all_agree(comm, call.mode, reason)) {
    drop_definitions(own);
    forget(own);
    return nullptr;
  }
  return &own;
}

}  // namespace

}  // namespace sv::netcdf4

int sv_netcdf4_create(const sv_netcdf4_call *call, int *ncid, char *reason, size_t length, int *rank, int *ranks) {
  using namespace sv::netcdf4;
  const sv::NoTraps quiet;
  const MPI_Comm comm = comm_of(*call);
  std::string why = "it has no communicator";
  int taken = 0;
  if (comm != MPI_COMM_NULL) {
    MPI_Comm_rank(comm, rank);
    MPI_Comm_size(comm, ranks);
    try {
      if (const Dataset *const own = taken_over(*call, comm, why)) {
        *ncid = own->ncid;
        taken = 1;
      }
    } catch (const std::exception &error) {
      why = error.what();
    }
  }
  std::snprintf(reason, length, "%s", why.c_str());
  return taken;
}
