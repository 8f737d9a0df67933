// The entries for nc_create_par and nc_open_par: all ranks decide together whether a new file is undecided, or the real
// library's at once, and who has an existing file.
#include <cstdio>
#include <cstring>
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

/// Collective. Whether all ranks would take it over, with the same mode. Throws the `code` of a rank on all of them.
bool all_agree(MPI_Comm comm, int mode, std::string &reason, int code = NC_NOERR) {
  int most[] = {reason.empty() ? 0 : 1, mode, -mode, code, -code};
  MPI_Allreduce(MPI_IN_PLACE, most, 5, MPI_INT, MPI_MAX, comm);
  refuse_if(most[4] > 0, -most[4]);
  refuse_if(most[3] > 0, most[3]);
  const bool all = most[0] == 0 && most[1] == -most[2];
  if (!all && reason.empty()) reason = "ranks ask for different things";
  return all;
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
  made->path = made->place = call.path;
  made->mode = call.mode;
  made->engine = std::make_unique<ParallelEngine>(
      ParallelCall{call.caller, call.path, call.mode, context->comm, info_of(call)}, rank, context->ranks);
  return &keep(std::move(made));
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

/// Collective. False with a `reason`: the real library opens it. Throws the same code on all ranks.
bool open_existing(Dataset &own, MPI_Comm comm, int mode, std::string &reason) {
  Definitions definitions;
  auto &engine = static_cast<ParallelEngine &>(*own.engine);
  const int code = answered([&] {
    if ((mode & NC_WRITE) != 0) engine.complete_commit();
    if (reason.empty()) reason = open_there(own, NC_NOWRITE);
    if (reason.empty()) reason = take_definitions(own, definitions);
    if (reason.empty() && own.is_read_only) engine.open_to_read();
    return NC_NOERR;
  });
  if (!all_agree(comm, mode, reason, code)) return false;
  if (own.is_read_only) return true;
  engine.open(own.there, NC_NETCDF4 | (own.mode & NC_CLASSIC_MODEL), own.shapes, reason);
  own.existing_variables = static_cast<int>(own.shapes.size());
  if (all_agree(comm, mode, reason)) return true;
  engine.close();
  return false;
}

/// Collective. nullptr with a `reason`: the real library opens it. A file that cannot be read is not that library's,
/// which waits for ever where one rank cannot: throws the same code on all ranks.
Dataset *opened(const sv_netcdf4_call &call, MPI_Comm comm, std::string &reason) {
  const int readable = answered([&] {
    reason = reason_against_opening(call.path, call.mode & ~NC_MPIIO);
    return NC_NOERR;
  });
  if (!all_agree(comm, call.mode, reason, readable)) return nullptr;
  Dataset *const own = begin_file(call, comm, reason);
  if (own == nullptr) return nullptr;
  bool is_taken = false;
  const int code = answered([&] {
    is_taken = open_existing(*own, comm, call.mode, reason);
    return NC_NOERR;
  });
  if (is_taken) return own;
  give_up(*own);
  refuse_if(code != NC_NOERR, code);
  return nullptr;
}

/// Collective. A rank may have changed the file, or its name, just before it calls this: no rank looks earlier.
void wait_for_all(MPI_Comm comm) {
  int nothing = 0;
  MPI_Allreduce(MPI_IN_PLACE, &nothing, 1, MPI_INT, MPI_MAX, comm);
}

/// The answer of an entry: of `begin`, for the ranks of the call.
template <class Begin>
int taken_over(const sv_netcdf4_call &call, int *ncid, std::span<char> reason, int *rank, int *ranks,
               const Begin &begin) {
  return answer_entry(ncid, reason, [&](std::string &why) -> const Dataset * {
    const MPI_Comm comm = comm_of(call);
    why = "it has no communicator";
    if (comm == MPI_COMM_NULL) return nullptr;
    MPI_Comm_rank(comm, rank);
    MPI_Comm_size(comm, ranks);
    wait_for_all(comm);
    return begin(call, comm, why);
  });
}

}  // namespace

}  // namespace sv::netcdf4

int sv_netcdf4_create(const sv_netcdf4_call *call, int *ncid, char *reason, size_t length, int *rank, int *ranks) {
  return sv::netcdf4::taken_over(*call, ncid, {reason, length}, rank, ranks, sv::netcdf4::created);
}

int sv_netcdf4_open(const sv_netcdf4_call *call, int *ncid, char *reason, size_t length, int *rank, int *ranks) {
  return sv::netcdf4::taken_over(*call, ncid, {reason, length}, rank, ranks, sv::netcdf4::opened);
}
