// Definitions: dimensions, variables and fill values.
#include <algorithm>

#include "calls.hpp"
#include "changing.hpp"
#include "convert.hpp"
#include "names.hpp"

namespace sv::pnetcdf {

namespace {

void require_define(const Dataset &own) { refuse_if(own.mode != Mode::define, NC_ENOTINDEFINE); }

bool has_dim(const Dataset &own, const char *name, int *dim = nullptr) {
  int found = 0;
  return sv_inq_dimid(own.file, name, dim == nullptr ? &found : dim) == SV_OK;
}

bool has_variable(const Dataset &own, const char *name, int *variable = nullptr) {
  int found = 0;
  return sv_inq_varid(own.file, name, variable == nullptr ? &found : variable) == SV_OK;
}

/// Of a dimension: variables of one are rounded up to 4 bytes. The specification of CDF-2 has signed lengths, to which
/// PnetCDF keeps from version 1.13 on; before it, and netCDF-C, have others.
int64_t longest(int format) {
  if (format == NC_FORMAT_CDF5) return NC_MAX_INT64;
  if (format != NC_FORMAT_CDF2) return NC_MAX_INT - 3;
  return is_before_1_13 ? int64_t{NC_MAX_UINT} - 3 : NC_MAX_INT;
}

/// Whether the bytes of a variable, or of a record of it, are a number that files can have.
bool has_size(const Dataset &own, nc_type type, int ndims, const int *dims) {
  int64_t bytes = type_bytes(type);
  for (int d = 0; d < ndims; ++d) {
    int64_t length = 1;
    if (dims[d] != own.record_dim_) must(sv_inq_dim(own.file, dims[d], nullptr, &length));
    if (length > 0 && bytes > (NC_MAX_INT64 - 3) / length) return false;
    bytes *= length;
  }
  return true;
}

}  // namespace

int def_dim(Dataset &own, const char *name, MPI_Offset length, int *dim) {
  require_define(own);
  check_name(name);
  refuse_if(length < 0 || length > longest(own.format), NC_EDIMSIZE);
  refuse_if(length == NC_UNLIMITED && own.record_dim_ >= 0, NC_EUNLIMIT);
  refuse_if(has_dim(own, name), NC_ENAMEINUSE);
  int made = -1;
  must_name(sv_def_dim(own.file, name, length, &made));
  if (length == NC_UNLIMITED) own.record_dim_ = made;
  if (dim != nullptr) *dim = made;
  return NC_NOERR;
}

int def_var(Dataset &own, const char *name, nc_type type, int ndims, const int *dims, int *variable) {
  require_define(own);
  check_name(name);
  refuse_if(type <= 0 || type > NC_UINT64, NC_EBADTYPE);
  refuse_if(type > NC_DOUBLE && own.format != NC_FORMAT_CDF5, NC_ESTRICTCDF2);
  refuse_if(ndims > SV_MAX_DIMS, NC_EMAXDIMS);
  refuse_if(ndims < 0, NC_EINVAL);
  refuse_if(has_variable(own, name), NC_ENAMEINUSE);
  refuse_if(ndims > 0 && dims == nullptr, NC_EINVAL);
  const int known = own.dim_count();
  for (int d = 0; d < ndims; ++d) refuse_if(dims[d] < 0 || dims[d] >= known, NC_EBADDIM);
  for (int d = 1; d < ndims; ++d) refuse_if(dims[d] == own.record_dim_, NC_EUNLIMPOS);
  refuse_if(!has_size(own, type, ndims, dims), NC_EVARSIZE);
  int made = -1;
  must_name(sv_def_var(own.file, name, type, ndims, dims, &made));
  own.fills.resize(static_cast<size_t>(made) + 1, false);
  own.fills.back() = own.fill_mode == NC_FILL;
  if (variable != nullptr) *variable = made;
  return NC_NOERR;
}

int rename_dim(Dataset &own, int dim, const char *name) {
  refuse_if(!own.is_writable, NC_EPERM);
  check_name(name);
  refuse_if(dim < 0 || dim >= own.dim_count(), NC_EBADDIM);
  int same = -1;
  if (has_dim(own, name, &same)) return same == dim ? NC_NOERR : NC_ENAMEINUSE;
  char before[SV_MAX_NAME];
  must(sv_inq_dim(own.file, dim, before, nullptr));
  return changed(own, std::strlen(name) <= std::strlen(before), [&] { must_name(sv_rename_dim(own.file, dim, name)); });
}

int rename_var(Dataset &own, int variable, const char *name) {
  refuse_if(!own.is_writable, NC_EPERM);
  check_name(name);
  own.variable(variable);
  refuse_if(has_variable(own, name), NC_ENAMEINUSE);
  char before[SV_MAX_NAME];
  must(sv_inq_var(own.file, variable, before, nullptr, nullptr, nullptr, nullptr));
  return changed(own, std::strlen(name) <= std::strlen(before),
                 [&] { must_name(sv_rename_var(own.file, variable, name)); });
}

int set_fill(Dataset &own, int mode, int *before) {
  refuse_if(!own.is_writable, NC_EPERM);
  require_define(own);
  refuse_if(mode != NC_FILL && mode != NC_NOFILL, NC_EINVAL);
  if (before != nullptr) *before = own.fill_mode;
  own.fill_mode = mode;
  own.fills.assign(own.fills.size(), mode == NC_FILL);  // also of existing variables
  return NC_NOERR;
}

int def_var_fill(Dataset &own, int variable, int no_fill, const void *value) {
  require_define(own);
  own.variable(variable);
  own.fills[static_cast<size_t>(variable)] = no_fill == 0;  // also where the value comes too late
  if (no_fill != 0 || value == nullptr) return NC_NOERR;
  refuse_if(own.is_old(variable), NC_ELATEFILL);
  must(sv_def_fill(own.file, variable, value));
  return NC_NOERR;
}

int fill_var_rec(Dataset &own, int variable, MPI_Offset record) {
  refuse_if(!own.is_writable, NC_EPERM);
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  refuse_if(!own.variable(variable).has_records, NC_ENOTRECVAR);
  refuse_if(own.mode == Mode::independent, NC_EINDEP);
  refuse_if(!own.is_filled(variable), NC_ENOTFILL);
  own.may_have_new_records = true;
  return code_of(sv_fill_var(own.file, variable, record));
}

}  // namespace sv::pnetcdf
