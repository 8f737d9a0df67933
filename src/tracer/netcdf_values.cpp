// netCDF-C: nc_put_var*, nc_get_var*. Bytes: of the values in memory (of the type in the name; without one, of the
// variable's); of strings not known.
#include "tracer/dataset_functions.hpp"

namespace sv::profile {
namespace {

#define SV_NC_VALUES(...) SV_DATASET_VALUES(Layer::netcdf, __VA_ARGS__)
// With one type in memory (`type`: _double; empty: that of the variable).
#define SV_NC_TYPE(nc, type, element_bytes)                                            \
  SV_DATASET_FAMILY(SV_NC_VALUES, nc##_put, type, (void *data), (data), element_bytes) \
  SV_DATASET_FAMILY(SV_NC_VALUES, nc##_get, type, (void *data), (data), element_bytes)

}  // namespace

SV_NC_TYPE(nc, , as_in_file)
SV_NC_TYPE(nc, _text, 1)
SV_NC_TYPE(nc, _ubyte, 1)
SV_NC_TYPE(nc, _string, of_no_size)
SV_NUMBER_TYPES(SV_NC_TYPE, nc)

// A record of all record variables (netCDF 2).
SV_NC_CALL(nc_put_rec, (int ncid, size_t record, void *const *data), (ncid, record, data), no_variable,
           call.argument(Argument::record, static_cast<int64_t>(record)))
SV_NC_CALL(nc_get_rec, (int ncid, size_t record, void **data), (ncid, record, data), no_variable,
           call.argument(Argument::record, static_cast<int64_t>(record)))
SV_NC_CALL(nc_copy_var, (int ncid, int varid, int to), (ncid, varid, to), varid)

}  // namespace sv::profile
