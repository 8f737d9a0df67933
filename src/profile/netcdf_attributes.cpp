// netCDF-C: attributes. Bytes: their values in memory; strings have none that are known.
#include "profile/netcdf.hpp"

namespace sv::profile {

SV_NC_CALL(nc_put_att_text, (int ncid, int varid, const char *name, size_t n, const char *values),
           (ncid, varid, name, n, values), varid, call->bytes(static_cast<int64_t>(n)))
SV_NC_CALL(nc_put_att_string, (int ncid, int varid, const char *name, size_t n, const char **values),
           (ncid, varid, name, n, values), varid)
SV_TRACED int nc_put_att(int ncid, int varid, const char *name, int type, size_t n, const void *values) {
  static Traced<int(int, int, const char *, int, size_t, const void *)> traced(Layer::netcdf, "nc_put_att");
  AttributeCall call(traced, netcdf_datasets(), {ncid, varid});
  call.puts(type, static_cast<int64_t>(n));
  return call.returns(traced.real()(ncid, varid, name, type, n, values));
}

#define SV_NC_GET_ATTRIBUTE(function, values_type, element_bytes)                             \
  SV_TRACED int function(int ncid, int varid, const char *name, values_type values) {         \
    static Traced<int(int, int, const char *, values_type)> traced(Layer::netcdf, #function); \
    AttributeCall call(traced, netcdf_datasets(), {ncid, varid});                             \
    return call.returns(traced.real()(ncid, varid, name, values), name, element_bytes);       \
  }

SV_NC_GET_ATTRIBUTE(nc_get_att, void *, as_in_file)
SV_NC_GET_ATTRIBUTE(nc_get_att_text, char *, 1)
SV_NC_GET_ATTRIBUTE(nc_get_att_string, char **, of_no_size)
SV_NC_CALL(nc_del_att, (int ncid, int varid, const char *name), (ncid, varid, name), varid)
SV_NC_CALL(nc_rename_att, (int ncid, int varid, const char *name, const char *new_name), (ncid, varid, name, new_name),
           varid)

// The dataset that it is about is the one that is written.
SV_TRACED int nc_copy_att(int from, int from_var, const char *name, int to, int to_var) {
  static Traced<int(int, int, const char *, int, int)> traced(Layer::netcdf, "nc_copy_att");
  DatasetCall call(traced, netcdf_datasets(), to, to_var);
  return call.returns(traced.real()(from, from_var, name, to, to_var));
}

#define SV_NC_ATTRIBUTE(type, element_bytes)                                                                       \
  SV_NC_CALL(nc_put_att_##type, (int ncid, int varid, const char *name, int stored, size_t n, const void *values), \
             (ncid, varid, name, stored, n, values), varid, call->bytes(static_cast<int64_t>(n) * element_bytes))  \
  SV_NC_GET_ATTRIBUTE(nc_get_att_##type, void *, element_bytes)

SV_NC_ATTRIBUTE(schar, 1)
SV_NC_ATTRIBUTE(uchar, 1)
SV_NC_ATTRIBUTE(ubyte, 1)
SV_NC_ATTRIBUTE(short, 2)
SV_NC_ATTRIBUTE(ushort, 2)
SV_NC_ATTRIBUTE(int, 4)
SV_NC_ATTRIBUTE(uint, 4)
SV_NC_ATTRIBUTE(float, 4)
SV_NC_ATTRIBUTE(long, 8)
SV_NC_ATTRIBUTE(double, 8)
SV_NC_ATTRIBUTE(longlong, 8)
SV_NC_ATTRIBUTE(ulonglong, 8)

}  // namespace sv::profile
