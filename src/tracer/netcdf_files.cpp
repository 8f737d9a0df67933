// Functions of netCDF-C only: creating, opening and closing datasets, groups, and how variables are stored.
#include "tracer/dataset_functions.hpp"

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

SV_NC_CALL(nc_def_grp, (int ncid, const char *name, int *group), (ncid, name, group), no_variable)
SV_NC_CALL(nc_def_var_chunking, (int ncid, int varid, int storage, const size_t *lengths),
           (ncid, varid, storage, lengths), varid, call.argument(Argument::mode, storage),
           call.arguments(Argument::chunks, reinterpret_cast<const int64_t *>(lengths), call.known().ndims))
SV_NC_CALL(nc_def_var_chunking_ints, (int ncid, int varid, int storage, int *lengths), (ncid, varid, storage, lengths),
           varid, call.argument(Argument::mode, storage), call.arguments(Argument::chunks, lengths, call.known().ndims))
SV_NC_CALL(nc_def_var_deflate, (int ncid, int varid, int shuffle, int deflate, int level),
           (ncid, varid, shuffle, deflate, level), varid, call.argument(Argument::mode, deflate != 0 ? level : 0))
SV_NC_CALL(nc_def_var_szip, (int ncid, int varid, int mask, int pixels), (ncid, varid, mask, pixels), varid)
SV_NC_CALL(nc_def_var_fletcher32, (int ncid, int varid, int on), (ncid, varid, on), varid)
SV_NC_CALL(nc_def_var_filter, (int ncid, int varid, unsigned id, size_t n, const unsigned *parameters),
           (ncid, varid, id, n, parameters), varid, call.argument(Argument::mode, id))
SV_NC_CALL(nc_def_var_quantize, (int ncid, int varid, int mode, int digits), (ncid, varid, mode, digits), varid)
SV_NC_CALL(nc_def_var_zstandard, (int ncid, int varid, int level), (ncid, varid, level), varid)
SV_NC_CALL(nc_def_var_bzip2, (int ncid, int varid, int level), (ncid, varid, level), varid)
SV_NC_CALL(nc_def_var_blosc, (int ncid, int varid, unsigned part, unsigned level, unsigned block, unsigned shuffle),
           (ncid, varid, part, level, block, shuffle), varid)
SV_NC_CALL(nc_var_par_access, (int ncid, int varid, int access), (ncid, varid, access), varid,
           call.argument(Argument::collective, access))
SV_NC_CALL(nc_set_var_chunk_cache, (int ncid, int varid, size_t bytes, size_t elements, float preemption),
           (ncid, varid, bytes, elements, preemption), varid,
           call.argument(Argument::length, static_cast<int64_t>(bytes)))
SV_NC_CALL(nc_rename_grp, (int ncid, const char *name), (ncid, name), no_variable)

}  // namespace sv::profile
