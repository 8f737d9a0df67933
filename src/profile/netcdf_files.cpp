// netCDF-C: functions that make, open and close datasets in ways of its own.
#include "profile/dataset_functions.hpp"

namespace sv::profile {
namespace {

#define SV_NC_OPENING(...) SV_OPENING(Layer::netcdf, __VA_ARGS__)
#define SV_NC_OPENING_TOGETHER(name)                                                                                 \
  SV_NC_OPENING(name, (const char *path, int mode, Word comm, Word info, int *made), (path, mode, comm, info, made), \
                call.among(comm, traced.address()))

}  // namespace

SV_NC_OPENING(nc_create, (const char *path, int mode, int *made), (path, mode, made))
SV_NC_OPENING(nc__create, (const char *path, int mode, size_t initial_bytes, size_t *buffer_bytes, int *made),
              (path, mode, initial_bytes, buffer_bytes, made))
SV_NC_OPENING(nc_open, (const char *path, int mode, int *made), (path, mode, made))
SV_NC_OPENING(nc__open, (const char *path, int mode, size_t *buffer_bytes, int *made), (path, mode, buffer_bytes, made))
SV_NC_OPENING_TOGETHER(nc_create_par)
SV_NC_OPENING_TOGETHER(nc_open_par)
SV_CHANGING(Layer::netcdf, nc_close_memio, (int ncid, void *memory), (ncid, memory), ncid, closed)

}  // namespace sv::profile
