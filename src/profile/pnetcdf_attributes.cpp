// PnetCDF: attributes. Bytes: their values in memory.
#include "profile/pnetcdf.hpp"

namespace sv::profile {

SV_PN_CALL(ncmpi_put_att_text, (int ncid, int varid, const char *name, int64_t n, const char *values),
           (ncid, varid, name, n, values), varid, call->bytes(n))
SV_TRACED int ncmpi_put_att(int ncid, int varid, const char *name, int type, int64_t n, const void *values) {
  static Traced<int(int, int, const char *, int, int64_t, const void *)> traced(Layer::pnetcdf, "ncmpi_put_att");
  AttributeCall call(traced, pnetcdf_datasets(), {ncid, varid});
  call.puts(type, n);
  return call.returns(traced.real()(ncid, varid, name, type, n, values));
}

#define SV_PN_GET_ATTRIBUTE(function, values_type, element_bytes)                              \
  SV_TRACED int function(int ncid, int varid, const char *name, values_type values) {          \
    static Traced<int(int, int, const char *, values_type)> traced(Layer::pnetcdf, #function); \
    AttributeCall call(traced, pnetcdf_datasets(), {ncid, varid});                             \
    return call.returns(traced.real()(ncid, varid, name, values), name, element_bytes);        \
  }

SV_PN_GET_ATTRIBUTE(ncmpi_get_att, void *, as_in_file)
SV_PN_GET_ATTRIBUTE(ncmpi_get_att_text, char *, 1)
SV_PN_CALL(ncmpi_del_att, (int ncid, int varid, const char *name), (ncid, varid, name), varid)
SV_PN_CALL(ncmpi_rename_att, (int ncid, int varid, const char *name, const char *new_name),
           (ncid, varid, name, new_name), varid)

// The dataset that it is about is the one that is written.
SV_TRACED int ncmpi_copy_att(int from, int from_var, const char *name, int to, int to_var) {
  static Traced<int(int, int, const char *, int, int)> traced(Layer::pnetcdf, "ncmpi_copy_att");
  DatasetCall call(traced, pnetcdf_datasets(), to, to_var);
  return call.returns(traced.real()(from, from_var, name, to, to_var));
}

#define SV_PN_ATTRIBUTE(type, element_bytes)                                                                           \
  SV_PN_CALL(ncmpi_put_att_##type, (int ncid, int varid, const char *name, int stored, int64_t n, const void *values), \
             (ncid, varid, name, stored, n, values), varid, call->bytes(n *element_bytes))                             \
  SV_PN_GET_ATTRIBUTE(ncmpi_get_att_##type, void *, element_bytes)

SV_PN_ATTRIBUTE(schar, 1)
SV_PN_ATTRIBUTE(uchar, 1)
SV_PN_ATTRIBUTE(short, 2)
SV_PN_ATTRIBUTE(ushort, 2)
SV_PN_ATTRIBUTE(int, 4)
SV_PN_ATTRIBUTE(uint, 4)
SV_PN_ATTRIBUTE(float, 4)
SV_PN_ATTRIBUTE(long, 8)
SV_PN_ATTRIBUTE(double, 8)
SV_PN_ATTRIBUTE(longlong, 8)
SV_PN_ATTRIBUTE(ulonglong, 8)

}  // namespace sv::profile
