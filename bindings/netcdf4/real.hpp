// The functions of the real netCDF that answer for definitions, by the names that they have without their prefix.
#pragma once

#include <netcdf.h>
#include <netcdf_filter.h>

#include "../face/loaded.hpp"

extern "C" {
int nc_def_var_quantize(int ncid, int varid, int quantize_mode, int nsd);
int nc_inq_var_quantize(int ncid, int varid, int *quantize_modep, int *nsdp);
}

namespace sv::netcdf4::real {

#define SV_REAL(name) inline constinit const face::RealFunction<decltype(nc_##name)> name("nc_" #name);
SV_REAL(create)
SV_REAL(close)
SV_REAL(enddef)
SV_REAL(redef)
SV_REAL(def_dim)
SV_REAL(def_enum)
SV_REAL(def_grp)
SV_REAL(def_var)
SV_REAL(def_var_chunking)
SV_REAL(def_var_deflate)
SV_REAL(def_var_endian)
SV_REAL(def_var_fill)
SV_REAL(def_var_filter)
SV_REAL(def_var_fletcher32)
SV_REAL(def_var_quantize)
SV_REAL(del_att)
SV_REAL(free_string)
SV_REAL(get_att)
SV_REAL(get_vara)
SV_REAL(get_vars)
SV_REAL(insert_enum)
SV_REAL(open)
SV_REAL(put_att)
SV_REAL(put_vara)
SV_REAL(set_fill)
SV_REAL(sync)
SV_REAL(inq)
SV_REAL(inq_att)
SV_REAL(inq_attname)
SV_REAL(inq_dim)
SV_REAL(inq_dimids)
SV_REAL(inq_enum)
SV_REAL(inq_enum_member)
SV_REAL(inq_format)
SV_REAL(inq_grp_full_ncid)
SV_REAL(inq_grpname)
SV_REAL(inq_grps)
SV_REAL(inq_type)
SV_REAL(inq_typeids)
SV_REAL(inq_user_type)
SV_REAL(inq_unlimdims)
SV_REAL(inq_var)
SV_REAL(inq_var_chunking)
SV_REAL(inq_var_deflate)
SV_REAL(inq_var_endian)
SV_REAL(inq_var_fill)
SV_REAL(inq_var_filter_ids)
SV_REAL(inq_var_filter_info)
SV_REAL(inq_var_fletcher32)
SV_REAL(inq_var_quantize)
SV_REAL(inq_vardimid)
SV_REAL(inq_varid)
#undef SV_REAL

}  // namespace sv::netcdf4::real
