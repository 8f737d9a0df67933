// netCDF-C: functions that make, open and close datasets and end their definition.
#include "profile/mpi.hpp"
#include "profile/netcdf.hpp"

namespace sv::profile {
namespace {

// What has a new dataset's number behind its other arguments; `...`: what else is told of it, with `call`.
#define SV_NC_OPENING(name, parameters, values, mode, ...)                        \
  SV_TRACED int name parameters {                                                 \
    static Traced<int parameters> traced(Layer::netcdf, #name);                   \
    OpeningCall call(traced, netcdf_datasets(), path, mode);                      \
    __VA_ARGS__;                                                                  \
    const auto real = traced.real();                                              \
    return call.returns(real values, ncid, reinterpret_cast<const void *>(real)); \
  }

void tell_ranks(OpeningCall &call, Word communicator, const void *function) {
  if (call) {
    call->argument(Argument::communicator, mpi_library(function).ranks(communicator));
  }
}

// What ends the life of a dataset's number, whatever it returns (nc_close of netCDF-C frees it in any case).
#define SV_NC_CLOSING(name, parameters, values)                 \
  SV_TRACED int name parameters {                               \
    static Traced<int parameters> traced(Layer::netcdf, #name); \
    DatasetCall call(traced, netcdf_datasets(), ncid);          \
    const int status = call.returns(traced.real() values);      \
    netcdf_datasets().closed(ncid);                             \
    return status;                                              \
  }

}  // namespace

SV_NC_OPENING(nc_create, (const char *path, int mode, int *ncid), (path, mode, ncid), mode)
SV_NC_OPENING(nc__create, (const char *path, int mode, size_t initial_bytes, size_t *buffer_bytes, int *ncid),
              (path, mode, initial_bytes, buffer_bytes, ncid), mode)
SV_NC_OPENING(nc_open, (const char *path, int mode, int *ncid), (path, mode, ncid), mode)
SV_NC_OPENING(nc__open, (const char *path, int mode, size_t *buffer_bytes, int *ncid), (path, mode, buffer_bytes, ncid),
              mode)
SV_NC_OPENING(nc_create_par, (const char *path, int mode, Word comm, Word info, int *ncid),
              (path, mode, comm, info, ncid), mode,
              tell_ranks(call, comm, reinterpret_cast<const void *>(traced.real())))
SV_NC_OPENING(nc_open_par, (const char *path, int mode, Word comm, Word info, int *ncid),
              (path, mode, comm, info, ncid), mode,
              tell_ranks(call, comm, reinterpret_cast<const void *>(traced.real())))

SV_NC_CLOSING(nc_close, (int ncid), (ncid))
SV_NC_CLOSING(nc_abort, (int ncid), (ncid))
SV_NC_CLOSING(nc_close_memio, (int ncid, void *memory), (ncid, memory))

SV_NC_CALL(nc_redef, (int ncid), (ncid), no_variable)
SV_NC_CALL(nc_enddef, (int ncid), (ncid), no_variable)
SV_NC_CALL(nc__enddef, (int ncid, size_t header_free, size_t align, size_t data_free, size_t record_align),
           (ncid, header_free, align, data_free, record_align), no_variable)
SV_NC_CALL(nc_sync, (int ncid), (ncid), no_variable)
SV_NC_CALL(nc_set_fill, (int ncid, int mode, int *before), (ncid, mode, before), no_variable,
           call.argument(Argument::mode, mode))

}  // namespace sv::profile
