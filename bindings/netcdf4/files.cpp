// A file's life: made with its definitions in memory, decided upon (deciding.hpp), written and closed.
#include <netcdf_par.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "../face/inquiry.hpp"
#include "access.hpp"
#include "calls.hpp"
#include "deciding.hpp"
#include "real.hpp"

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
  if (call.path == nullptr || *call.path == '\0') return "it has no name";
  const std::string path = call.path;
  if (path.find("://") != std::string::npos || path.find('#') != std::string::npos) return "its name is a URL";
  if ((call.mode & NC_NETCDF4) == 0) return "opened in parallel, and not netCDF-4";
  constexpr int known = NC_NETCDF4 | NC_CLASSIC_MODEL | NC_NOCLOBBER | NC_WRITE | NC_MPIIO;
  if ((call.mode & ~known) != 0) return "its mode has flags that are not known";
  std::error_code failed;
  const std::filesystem::path place(path);
  const auto status = std::filesystem::status(place, failed);
  const bool is_there = std::filesystem::exists(status);
  if (is_there && (call.mode & NC_NOCLOBBER) != 0) return "NC_NOCLOBBER, and there is such a file";
  if (is_there && (!std::filesystem::is_regular_file(status) || ::access(path.c_str(), W_OK) != 0))
    return "an existing file cannot be replaced";
  const std::string folder = place.has_parent_path() ? place.parent_path().string() : ".";
  return ::access(folder.c_str(), W_OK) != 0 ? "its directory cannot be written" : "";
}

/// Collective. Whether all ranks would take it over, with the same mode.
bool all_agree(MPI_Comm comm, int mode, std::string &reason) {
  int most[] = {reason.empty() ? 0 : 1, mode, -mode};
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT, MPI_MAX, comm);
  const bool all = most[0] == 0 && most[1] == -most[2];
  if (!all && reason.empty()) reason = "ranks ask for different things";
  return all;
}

/// Local. A file in memory for definitions, whose name no other one has.
int keep_definitions(Dataset &own) {
  const std::string name = "definitions of Sverdrup, " + std::to_string(own.ncid);
  const int mode = NC_NETCDF4 | NC_DISKLESS | (own.mode & NC_CLASSIC_MODEL);
  return real::create(own.caller)(name.c_str(), mode, &own.there);
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
  auto made = std::make_unique<Dataset>();
  made->caller = call.caller;
  made->path = call.path;
  made->mode = call.mode;
  made->comm = context->comm;
  made->ranks = context->ranks;
  MPI_Comm_rank(comm, &made->rank);
  Dataset &own = keep(std::move(made));
  if (reason.empty() && keep_definitions(own) != NC_NOERR) reason = "netCDF cannot keep its definitions in memory";
  if (!all_agree(comm, call.mode, reason)) {
    drop_definitions(own);
    forget(own);
    return nullptr;
  }
  if (const MPI_Info info = info_of(call); info != MPI_INFO_NULL) MPI_Info_dup(info, &own.info);
  return &own;
}

/// It is gone. `code`: of its end.
int end_life(Dataset &own, int code) {
  if (own.owner == Owner::sverdrup && lists_files()) {
    int64_t counts[] = {own.account.puts, own.account.gets, own.account.put_bytes, own.account.got_bytes};
    MPI_Reduce(own.rank == 0 ? MPI_IN_PLACE : counts, counts, 4, MPI_INT64_T, MPI_SUM, 0, own.comm);
    Account sums = own.account;
    sums.puts = counts[0], sums.gets = counts[1], sums.put_bytes = counts[2], sums.got_bytes = counts[3];
    if (own.rank == 0) list_handled(own.path, sums, own.ranks, code);
  }
  drop_definitions(own);
  if (own.info != MPI_INFO_NULL) MPI_Info_free(&own.info);
  forget(own);
  return code;
}

}  // namespace

const char *reason_of_type(nc_type type) {
  if (type == NC_STRING) return "strings";
  return type >= NC_FIRSTUSERTYPEID ? "user-defined types" : nullptr;
}

const char *reason_of_filter(unsigned filter) {
  const bool is_known = filter == SV_FILTER_DEFLATE || filter == SV_FILTER_SHUFFLE || filter == SV_FILTER_FLETCHER32 ||
                        filter == SV_FILTER_ZSTD;
  return is_known ? nullptr : "a filter that Sverdrup does not apply";
}

int define(Dataset &own, const RealCall &real, const char *reason) {
  if (own.owner != Owner::library && reason != nullptr) leave(own, reason);
  if (own.owner == Owner::library) return real(own.there);
  const int code = real(own.there);
  if (code == NC_NOERR || code == NC_ERANGE) own.is_changed = true;
  return code;
}

int redef(Dataset &own, const RealCall &real) {
  const int code = real(own.there);
  if (code == NC_NOERR) own.is_defining = true;
  return code;
}

int enddef(Dataset &own, const RealCall &real) {
  const int code = real(own.there);
  if (code != NC_NOERR || own.owner == Owner::library) return code;
  own.is_defining = false;
  settle_definitions(own);
  return NC_NOERR;
}

int _enddef(Dataset &own, const RealCall &real, size_t, size_t, size_t, size_t) { return enddef(own, real); }

int sync(Dataset &own, const RealCall &real) {
  if (own.owner == Owner::library) return real(own.there);
  if (own.is_defining) {
    refuse_if(own.is_classic(), NC_EINDEFINE);
    own.is_defining = false;
    expect(real::enddef(own.caller)(own.there));
  }
  if (own.is_changed) settle_definitions(own);
  if (own.owner == Owner::library) return real(own.there);
  put_together(own);
  must(sv_sync(own.file));
  own.may_have_new_records = false;
  put_by_themselves(own);
  return NC_NOERR;
}

int close(Dataset &own, const RealCall &real) {
  int code = NC_NOERR;
  if (own.owner != Owner::library && own.is_changed) {
    code = answered([&] {
      if (own.is_defining) expect(real::enddef(own.caller)(own.there));
      own.is_defining = false;
      settle_definitions(own);
      return NC_NOERR;
    });
  }
  if (own.owner == Owner::library) {
    const int closed = real(own.there);
    return end_life(own, code == NC_NOERR ? closed : code);
  }
  int closed = NC_NOERR;
  if (own.file != nullptr) closed = code_of(close_file(own));
  return end_life(own, code == NC_NOERR ? closed : code);
}

int abort(Dataset &own, const RealCall &real) {
  if (own.owner == Owner::library) return end_life(own, real(own.there));
  const int code = own.file != nullptr ? code_of(close_file(own)) : NC_NOERR;
  return end_life(own, code);
}

int var_par_access(Dataset &own, const RealCall &real, int variable, int access) {
  if (own.owner == Owner::library) return real(own.there);
  const std::vector<Shape> shapes = shapes_of(own);
  refuse_if(variable < 0 || variable >= std::ssize(shapes), NC_ENOTVAR);
  refuse_if(access != NC_INDEPENDENT && access != NC_COLLECTIVE, NC_EINVAL);
  refuse_if(shapes[static_cast<size_t>(variable)].is_filtered && access == NC_INDEPENDENT, NC_EINVAL);
  own.collective.resize(shapes.size());
  own.collective[static_cast<size_t>(variable)] = access == NC_COLLECTIVE;
  if (own.file == nullptr || own.is_changed || access == NC_COLLECTIVE) return NC_NOERR;
  put_together(own);
  put_by_themselves(own);
  return NC_NOERR;
}

int inq_dim(Dataset &own, const RealCall &real, int dim, char *, size_t *length) {
  const int code = real(own.there);
  // Of an unlimited dimension, the definitions in memory have no cells.
  if (code == NC_NOERR && own.file != nullptr && length != nullptr && *length == 0)
    *length = static_cast<size_t>(own.length(dim));
  return code;
}

int inq_dimlen(Dataset &own, const RealCall &real, int dim, size_t *length) {
  return inq_dim(own, real, dim, nullptr, length);
}

int inq_path(Dataset &own, const RealCall &, size_t *length, char *path) { return face::inq_path(own, length, path); }

int inq_format_extended(Dataset &own, const RealCall &real, int *, int *mode) {
  const int code = real(own.there);
  if (code == NC_NOERR && own.owner != Owner::library) assign(mode, own.mode | NC_NETCDF4);
  return code;
}

namespace {

/// The program knows the root group by our number.
int own_group(const Dataset &own, int code, int *group) {
  if (code == NC_NOERR && group != nullptr && *group == own.there) *group = own.ncid;
  return code;
}

}  // namespace

int inq_ncid(Dataset &own, const RealCall &real, const char *, int *group) {
  return own_group(own, real(own.there), group);
}
int inq_grp_ncid(Dataset &own, const RealCall &real, const char *, int *group) {
  return own_group(own, real(own.there), group);
}
int inq_grp_full_ncid(Dataset &own, const RealCall &real, const char *, int *group) {
  return own_group(own, real(own.there), group);
}

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
