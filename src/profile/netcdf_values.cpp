// netCDF-C: nc_put_var*, nc_get_var*. Bytes: of the values in memory (of the type in the name; without one, of the
// variable's); of strings not known.
#include "profile/netcdf.hpp"

namespace sv::profile {
namespace {

#define SV_NC_VALUES(name, parameters, values, access, element_bytes)                   \
  SV_TRACED int name parameters {                                                       \
    static Traced<int parameters> traced(Layer::netcdf, #name);                         \
    TransferCall call(traced, netcdf_datasets(), {ncid, varid}, access, element_bytes); \
    return call.returns(traced.real() values);                                          \
  }

// All of put or get (`direction`) with one type in memory (`type`: _double; empty: that of the variable).
#define SV_NC_FAMILY(direction, type, element_bytes)                                                                 \
  SV_NC_VALUES(nc_##direction##_var##type, (int ncid, int varid, void *data), (ncid, varid, data), Access{},         \
               element_bytes)                                                                                        \
  SV_NC_VALUES(nc_##direction##_var1##type, (int ncid, int varid, const int64_t *start, void *data),                 \
               (ncid, varid, start, data), (Access{Choice::one, start}), element_bytes)                              \
  SV_NC_VALUES(nc_##direction##_vara##type,                                                                          \
               (int ncid, int varid, const int64_t *start, const int64_t *count, void *data),                        \
               (ncid, varid, start, count, data), (Access{Choice::block, start, count}), element_bytes)              \
  SV_NC_VALUES(nc_##direction##_vars##type,                                                                          \
               (int ncid, int varid, const int64_t *start, const int64_t *count, const int64_t *stride, void *data), \
               (ncid, varid, start, count, stride, data), (Access{Choice::block, start, count, stride}),             \
               element_bytes)                                                                                        \
  SV_NC_VALUES(nc_##direction##_varm##type,                                                                          \
               (int ncid, int varid, const int64_t *start, const int64_t *count, const int64_t *stride,              \
                const int64_t *imap, void *data),                                                                    \
               (ncid, varid, start, count, stride, imap, data), (Access{Choice::block, start, count, stride, imap}), \
               element_bytes)
#define SV_NC_TYPE(type, element_bytes)  \
  SV_NC_FAMILY(put, type, element_bytes) \
  SV_NC_FAMILY(get, type, element_bytes)

}  // namespace

SV_NC_TYPE(, as_in_file)
SV_NC_TYPE(_text, 1)
SV_NC_TYPE(_schar, 1)
SV_NC_TYPE(_uchar, 1)
SV_NC_TYPE(_ubyte, 1)
SV_NC_TYPE(_short, 2)
SV_NC_TYPE(_ushort, 2)
SV_NC_TYPE(_int, 4)
SV_NC_TYPE(_uint, 4)
SV_NC_TYPE(_float, 4)
SV_NC_TYPE(_long, 8)
SV_NC_TYPE(_double, 8)
SV_NC_TYPE(_longlong, 8)
SV_NC_TYPE(_ulonglong, 8)
SV_NC_TYPE(_string, of_no_size)

// A record of all record variables (netCDF 2).
SV_NC_CALL(nc_put_rec, (int ncid, size_t record, void *const *data), (ncid, record, data), no_variable,
           call.argument(Argument::record, static_cast<int64_t>(record)))
SV_NC_CALL(nc_get_rec, (int ncid, size_t record, void **data), (ncid, record, data), no_variable,
           call.argument(Argument::record, static_cast<int64_t>(record)))
SV_NC_CALL(nc_copy_var, (int ncid, int varid, int to), (ncid, varid, to), varid)

}  // namespace sv::profile
