// The entries for nc_create_par and nc_open_par: all ranks decide together whether a new file is undecided, or the real
// library's at once, and who has an existing file.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <span>

#include "../deciding.hpp"
#include "../real.hpp"
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

/// Why this rank would leave an existing file to netCDF; empty: it would not.
std::string reason_against_opening(const sv_netcdf4_call &call) {
  if (std::string reason = reason_in_name(call.path); !reason.empty()) return reason;
  constexpr int known = NC_NETCDF4 | NC_CLASSIC_MODEL | NC_WRITE | NC_MPIIO;
  if ((call.mode & ~known) != 0) return "its mode has flags that are not known";
  char start[8] = "";
  std::ifstream(call.path, std::ios::binary).read(start, sizeof start);
  if (std::memcmp(start, "\x89HDF\r\n\x1a\n", sizeof start) != 0) return "opened in parallel, and not netCDF-4";
  return (call.mode & NC_WRITE) != 0 && ::access(call.path, W_OK) != 0 ? "it cannot be written" : "";
}

/// Collective. A file with its engine, of which nothing is known yet; nullptr with a `reason`. There may be a reason on
/// this rank alone besides.
Dataset *begin_file(const sv_netcdf4_call &call, MPI_Comm comm, std::string &reason) {
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
  return &keep(std::move(made));
}

void give_up(Dataset &own) {
  drop_definitions(own);
  forget(own);
}

/// Collective. nullptr with a `reason`: the real library makes it.
Dataset *created(const sv_netcdf4_call &call, MPI_Comm comm, std::string &reason) {
  reason = reason_to_leave(call);
  if (!all_agree(comm, call.mode, reason)) return nullptr;
  Dataset *const own = begin_file(call, comm, reason);
  if (own == nullptr) return nullptr;
  if (reason.empty() && !keep_definitions(*own)) reason = "netCDF cannot keep its definitions in memory";
  if (all_agree(comm, call.mode, reason)) return own;
  give_up(*own);
  return nullptr;
}

/// Collective. nullptr with a `reason`: the real library opens it.
Dataset *opened(const sv_netcdf4_call &call, MPI_Comm comm, std::string &reason) {
  reason = reason_against_opening(call);
  if (!all_agree(comm, call.mode, reason)) return nullptr;
  Dataset *const own = begin_file(call, comm, reason);
  if (own == nullptr) return nullptr;
  const int code = answered([&] {
    if (reason.empty()) reason = take_definitions(*own);
    return NC_NOERR;
  });
  if (code != NC_NOERR) reason = "netCDF cannot read its definitions: code " + std::to_string(code);
  if (all_agree(comm, call.mode, reason)) {
    const int mode = NC_NETCDF4 | (own->mode & NC_CLASSIC_MODEL);
    auto &engine = static_cast<ParallelEngine &>(*own->engine);
    engine.open(!own->is_read_only, own->there, mode, own->shapes, reason);
    if (all_agree(comm, call.mode, reason)) return own;
    engine.close();
  }
  give_up(*own);
  return nullptr;
}

/// The answer of an entry.
template <class Begin>
int taken_over(const sv_netcdf4_call *call, int *ncid, std::span<char> reason, int *rank, int *ranks,
               const Begin &begin) {
  const sv::NoTraps quiet;
  const MPI_Comm comm = comm_of(*call);
  std::string why = "it has no communicator";
  int taken = 0;
  if (comm != MPI_COMM_NULL) {
    MPI_Comm_rank(comm, rank);
    MPI_Comm_size(comm, ranks);
    try {
      if (const Dataset *const own = begin(*call, comm, why)) {
        *ncid = own->ncid;
        taken = 1;
      }
    } catch (const std::exception &error) {
      why = error.what();
    }
  }
  std::snprintf(reason.data(), reason.size(), "%s", why.c_str());
  return taken;
}

}  // namespace

}  // namespace sv::netcdf4

int sv_netcdf4_create(const sv_netcdf4_call *call, int *ncid, char *reason, size_t length, int *rank, int *ranks) {
  return sv::netcdf4::taken_over(call, ncid, {reason, length}, rank, ranks, sv::netcdf4::created);
}

int sv_netcdf4_open(const sv_netcdf4_call *call, int *ncid, char *reason, size_t length, int *rank, int *ranks) {
  return sv::netcdf4::taken_over(call, ncid, {reason, length}, rank, ranks, sv::netcdf4::opened);
}
