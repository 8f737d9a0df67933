// Functions of both netCDF-C and PnetCDF, whose names differ in the prefix: definitions and attributes. Bytes of
// attributes: of their values in memory.
#include "tracer/dataset_functions.hpp"

namespace sv::profile {
namespace {

#define SV_GET_ATTRIBUTE(layer, name, Values, element_bytes)                                      \
  SV_TRACED int name(int ncid, int varid, const char *attribute, Values values) {                 \
    static Traced<int(int, int, const char *, Values)> traced(layer, #name);                      \
    DatasetCall call(traced, ncid, varid);                                                        \
    return call.returns(traced.real()(ncid, varid, attribute, values), attribute, element_bytes); \
  }
#define SV_ATTRIBUTE(layer, nc, type, element_bytes)                                                  \
  SV_DATASET_CALL(layer, nc##_put_att##type,                                                          \
                  (int ncid, int varid, const char *name, int stored, int64_t n, const void *values), \
                  (ncid, varid, name, stored, n, values), varid, call->bytes(n *element_bytes))       \
  SV_GET_ATTRIBUTE(layer, nc##_get_att##type, void *, element_bytes)

#define SV_ATTRIBUTES(layer, nc)                                                                                    \
  SV_DATASET_CALL(layer, nc##_put_att,                                                                              \
                  (int ncid, int varid, const char *name, int type, int64_t n, const void *values),                 \
                  (ncid, varid, name, type, n, values), varid, call.puts_attribute(type, n))                        \
  SV_DATASET_CALL(layer, nc##_put_att_text, (int ncid, int varid, const char *name, int64_t n, const char *values), \
                  (ncid, varid, name, n, values), varid, call->bytes(n))                                            \
  SV_GET_ATTRIBUTE(layer, nc##_get_att, void *, as_in_file)                                                         \
  SV_GET_ATTRIBUTE(layer, nc##_get_att_text, char *, 1)                                                             \
  SV_NUMBER_TYPES(SV_ATTRIBUTE, layer, nc)                                                                          \
  SV_DATASET_CALL(layer, nc##_del_att, (int ncid, int varid, const char *name), (ncid, varid, name), varid)         \
  SV_DATASET_CALL(layer, nc##_rename_att, (int ncid, int varid, const char *name, const char *new_name),            \
                  (ncid, varid, name, new_name), varid)                                                             \
  /* About the dataset that is written. */                                                                          \
  SV_DATASET_CALL(layer, nc##_copy_att, (int from, int from_var, const char *name, int ncid, int varid),            \
                  (from, from_var, name, ncid, varid), varid)

// A number is invalid after closing, also after an error (nc_close of netCDF-C frees it in any case).
#define SV_DEFINITIONS(layer, nc)                                                                                      \
  SV_CHANGING(layer, nc##_close, (int ncid), (ncid), ncid, closed)                                                     \
  SV_CHANGING(layer, nc##_abort, (int ncid), (ncid), ncid, closed)                                                     \
  SV_DATASET_CALL(layer, nc##_redef, (int ncid), (ncid), no_variable)                                                  \
  SV_DATASET_CALL(layer, nc##_enddef, (int ncid), (ncid), no_variable)                                                 \
  SV_DATASET_CALL(layer, nc##__enddef,                                                                                 \
                  (int ncid, int64_t header_free, int64_t align, int64_t data_free, int64_t record_align),             \
                  (ncid, header_free, align, data_free, record_align), no_variable)                                    \
  SV_DATASET_CALL(layer, nc##_sync, (int ncid), (ncid), no_variable)                                                   \
  SV_DATASET_CALL(layer, nc##_set_fill, (int ncid, int mode, int *before), (ncid, mode, before), no_variable,          \
                  call.argument(Argument::mode, mode))                                                                 \
  SV_DATASET_CALL(layer, nc##_def_dim, (int ncid, const char *name, int64_t length, int *dim),                         \
                  (ncid, name, length, dim), no_variable, call.argument(Argument::length, length))                     \
  SV_DATASET_CALL(layer, nc##_def_var, (int ncid, const char *name, int type, int ndims, const int *dims, int *varid), \
                  (ncid, name, type, ndims, dims, varid), no_variable, call.arguments(Argument::dims, dims, ndims))    \
  SV_DATASET_CALL(layer, nc##_def_var_fill, (int ncid, int varid, int no_fill, const void *value),                     \
                  (ncid, varid, no_fill, value), varid, call.argument(Argument::fill, no_fill == 0))                   \
  SV_DATASET_CALL(layer, nc##_rename_dim, (int ncid, int dim, const char *name), (ncid, dim, name), no_variable)       \
  SV_CHANGING(layer, nc##_rename_var, (int ncid, int varid, const char *name), (ncid, varid, name), ncid, changed)

}  // namespace

SV_ATTRIBUTES(Layer::netcdf, nc)
SV_ATTRIBUTES(Layer::pnetcdf, ncmpi)
SV_ATTRIBUTE(Layer::netcdf, nc, _ubyte, 1)
SV_NC_CALL(nc_put_att_string, (int ncid, int varid, const char *name, size_t n, const char **values),
           (ncid, varid, name, n, values), varid)
SV_GET_ATTRIBUTE(Layer::netcdf, nc_get_att_string, char **, of_no_size)
SV_DEFINITIONS(Layer::netcdf, nc)
SV_DEFINITIONS(Layer::pnetcdf, ncmpi)

}  // namespace sv::profile
