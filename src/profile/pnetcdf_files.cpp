// PnetCDF: functions that make, open, close, define and synchronise datasets, and that carry out requests.
#include "profile/pnetcdf.hpp"

namespace sv::profile {
namespace {

#define SV_PN_OPENING(name)                                                                 \
  SV_TRACED int name(Word comm, const char *path, int mode, Word info, int *ncid) {         \
    static Traced<int(Word, const char *, int, Word, int *)> traced(Layer::pnetcdf, #name); \
    const auto real = traced.real();                                                        \
    const auto function = reinterpret_cast<const void *>(real);                             \
    OpeningCall call(traced, pnetcdf_datasets(), path, mode);                               \
    if (call) {                                                                             \
      call->argument(Argument::communicator, mpi_library(function).ranks(comm));            \
    }                                                                                       \
    return call.returns(real(comm, path, mode, info, ncid), ncid, function);                \
  }

#define SV_PN_CLOSING(name)                                \
  SV_TRACED int name(int ncid) {                           \
    static Traced<int(int)> traced(Layer::pnetcdf, #name); \
    DatasetCall call(traced, pnetcdf_datasets(), ncid);    \
    const int status = call.returns(traced.real()(ncid));  \
    pnetcdf_datasets().closed(ncid);                       \
    return status;                                         \
  }

}  // namespace

SV_PN_OPENING(ncmpi_create)
SV_PN_OPENING(ncmpi_open)
SV_PN_CLOSING(ncmpi_close)
SV_PN_CLOSING(ncmpi_abort)

SV_TRACED int ncmpi_delete(const char *path, Word info) {
  static Traced<int(const char *, Word)> traced(Layer::pnetcdf, "ncmpi_delete");
  Call call(traced);
  if (call) {
    const std::string name = traced_file(path);
    name.empty() ? call.forget() : call.about(call.recorder().file(name));
  }
  return call.returns(traced.real()(path, info));
}

SV_PN_CALL(ncmpi_redef, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_enddef, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi__enddef, (int ncid, int64_t header_free, int64_t align, int64_t data_free, int64_t record_align),
           (ncid, header_free, align, data_free, record_align), no_variable)
SV_PN_CALL(ncmpi_sync, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_sync_numrecs, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_flush, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_begin_indep_data, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_end_indep_data, (int ncid), (ncid), no_variable)

SV_PN_CALL(ncmpi_set_fill, (int ncid, int mode, int *before), (ncid, mode, before), no_variable,
           call.argument(Argument::mode, mode))
SV_PN_CALL(ncmpi_def_dim, (int ncid, const char *name, int64_t length, int *dim), (ncid, name, length, dim),
           no_variable, call.argument(Argument::length, length))
SV_PN_CALL(ncmpi_def_var, (int ncid, const char *name, int type, int ndims, const int *dims, int *varid),
           (ncid, name, type, ndims, dims, varid), no_variable, call.arguments(Argument::dims, dims, ndims))
SV_PN_CALL(ncmpi_def_var_fill, (int ncid, int varid, int no_fill, const void *value), (ncid, varid, no_fill, value),
           varid, call.argument(Argument::fill, no_fill == 0))
SV_PN_CALL(ncmpi_fill_var_rec, (int ncid, int varid, int64_t record), (ncid, varid, record), varid,
           call.argument(Argument::record, record))
SV_PN_CALL(ncmpi_rename_dim, (int ncid, int dim, const char *name), (ncid, dim, name), no_variable)

// Names that are known are those of before.
SV_TRACED int ncmpi_rename_var(int ncid, int varid, const char *name) {
  static Traced<int(int, int, const char *)> traced(Layer::pnetcdf, "ncmpi_rename_var");
  DatasetCall call(traced, pnetcdf_datasets(), ncid);
  const int status = call.returns(traced.real()(ncid, varid, name));
  pnetcdf_datasets().renamed(ncid);
  return status;
}

SV_PN_CALL(ncmpi_wait, (int ncid, int n, int *requests, int *statuses), (ncid, n, requests, statuses), no_variable,
           call.argument(Argument::requests, n))
SV_PN_CALL(ncmpi_wait_all, (int ncid, int n, int *requests, int *statuses), (ncid, n, requests, statuses), no_variable,
           call.argument(Argument::requests, n))
SV_PN_CALL(ncmpi_cancel, (int ncid, int n, int *requests, int *statuses), (ncid, n, requests, statuses), no_variable,
           call.argument(Argument::requests, n))
SV_PN_CALL(ncmpi_buffer_attach, (int ncid, int64_t bytes), (ncid, bytes), no_variable,
           call.argument(Argument::length, bytes))
SV_PN_CALL(ncmpi_buffer_detach, (int ncid), (ncid), no_variable)

}  // namespace sv::profile
