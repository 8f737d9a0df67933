// PnetCDF: functions that make, open and synchronise datasets in ways of its own, and that carry out requests.
#include "tracer/dataset_functions.hpp"

namespace sv::profile {
namespace {

#define SV_PN_OPENING(name)                                                                       \
  SV_OPENING(Layer::pnetcdf, name, (Word comm, const char *path, int mode, Word info, int *made), \
             (comm, path, mode, info, made), call.among(comm, traced.address()))

}  // namespace

SV_PN_OPENING(ncmpi_create)
SV_PN_OPENING(ncmpi_open)

SV_TRACED int ncmpi_delete(const char *path, Word info) {
  static Traced<int(const char *, Word)> traced(Layer::pnetcdf, "ncmpi_delete");
  Call call(traced);
  if (call) {
    const std::string name = traced_file(path);
    name.empty() ? call.forget() : call.about(call.recorder().file(name));
  }
  return call.returns(traced.real()(path, info));
}

SV_PN_CALL(ncmpi_sync_numrecs, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_flush, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_begin_indep_data, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_end_indep_data, (int ncid), (ncid), no_variable)
SV_PN_CALL(ncmpi_fill_var_rec, (int ncid, int varid, int64_t record), (ncid, varid, record), varid,
           call.argument(Argument::record, record))
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
