// The functions of the netCDF library that sv-run calls: the library is loaded by the first call, since sv-run itself
// starts without it. Each function throws std::runtime_error with netCDF's message.
#pragma once

#include <netcdf.h>

#include <stdexcept>
#include <string>

extern "C" {
int nc_inq_var_filter_ids(int ncid, int varid, size_t *nfilters, unsigned int *filterids);
int nc_inq_var_filter_info(int ncid, int varid, unsigned int id, size_t *nparamsp, unsigned int *params);
int nc_reclaim_data(int ncid, nc_type xtypeid, void *memory, size_t count);
int nc_inq_var_quantize(int ncid, int varid, int *quantize_modep, int *nsdp);
}

namespace sv_run::netcdf {

/// nullptr: the library, or this function, does not exist.
void *find(const char *name);

template <class Function>
class Call;
template <class... Parameters>
class Call<int(Parameters...)> {
 public:
  explicit constexpr Call(const char *name) : name_(name) {}
  void operator()(Parameters... given) const {
    auto *const function = reinterpret_cast<int (*)(Parameters...)>(find(name_));
    if (function == nullptr) throw std::runtime_error(std::string("the netCDF library has no ") + name_);
    const int code = function(given...);
    auto *const words = reinterpret_cast<decltype(nc_strerror) *>(find("nc_strerror"));
    if (code != NC_NOERR) throw std::runtime_error(words != nullptr ? words(code) : name_);
  }

 private:
  const char *name_;
};

#define SV_NETCDF_CALL(name) inline constexpr Call<decltype(nc_##name)> name("nc_" #name);
SV_NETCDF_CALL(open)
SV_NETCDF_CALL(close)
SV_NETCDF_CALL(get_att)
SV_NETCDF_CALL(get_vara)
SV_NETCDF_CALL(inq)
SV_NETCDF_CALL(inq_att)
SV_NETCDF_CALL(inq_attname)
SV_NETCDF_CALL(inq_compound_field)
SV_NETCDF_CALL(inq_dim)
SV_NETCDF_CALL(inq_dimids)
SV_NETCDF_CALL(inq_enum_member)
SV_NETCDF_CALL(inq_format)
SV_NETCDF_CALL(inq_grpname)
SV_NETCDF_CALL(inq_grps)
SV_NETCDF_CALL(inq_type)
SV_NETCDF_CALL(inq_typeids)
SV_NETCDF_CALL(inq_unlimdims)
SV_NETCDF_CALL(inq_user_type)
SV_NETCDF_CALL(inq_var)
SV_NETCDF_CALL(inq_var_chunking)
SV_NETCDF_CALL(inq_var_endian)
SV_NETCDF_CALL(inq_var_fill)
SV_NETCDF_CALL(inq_var_filter_ids)
SV_NETCDF_CALL(inq_var_filter_info)
SV_NETCDF_CALL(inq_var_fletcher32)
SV_NETCDF_CALL(inq_var_deflate)
SV_NETCDF_CALL(inq_var_quantize)
SV_NETCDF_CALL(inq_varids)
SV_NETCDF_CALL(reclaim_data)
#undef SV_NETCDF_CALL

}  // namespace sv_run::netcdf
