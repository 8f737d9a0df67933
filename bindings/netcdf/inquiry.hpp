// Inquiry, as calls.hpp. It never waits.
#pragma once

#include "dataset.hpp"

namespace sv::netcdf {

/// Unless the caller does not want to know it.
template <class T, class U>
int tell(T *to, U value) {
  if (to != nullptr) *to = static_cast<T>(value);
  return NC_NOERR;
}

// inquire.cpp
int inq(Dataset &own, int *ndims, int *nvars, int *natts, int *record_dim);
int inq_format(Dataset &own, int *format);
int inq_format_extended(Dataset &own, int *format, int *mode);
int inq_ndims(Dataset &own, int *count);
int inq_nvars(Dataset &own, int *count);
int inq_natts(Dataset &own, int *count);
int inq_unlimdim(Dataset &own, int *dim);
int inq_path(Dataset &own, size_t *length, char *path);
int inq_dimid(Dataset &own, const char *name, int *dim);
int inq_dim(Dataset &own, int dim, char *name, size_t *length);
int inq_dimname(Dataset &own, int dim, char *name);
int inq_dimlen(Dataset &own, int dim, size_t *length);
int inq_var(Dataset &own, int variable, char *name, nc_type *type, int *ndims, int *dims, int *natts);
int inq_varid(Dataset &own, const char *name, int *variable);
int inq_varname(Dataset &own, int variable, char *name);
int inq_vartype(Dataset &own, int variable, nc_type *type);
int inq_varndims(Dataset &own, int variable, int *ndims);
int inq_vardimid(Dataset &own, int variable, int *dims);
int inq_varnatts(Dataset &own, int variable, int *natts);
int inq_var_fill(Dataset &own, int variable, int *no_fill, void *value);

// enhanced.cpp: of netCDF-4's calls, those that a classic file answers; NC_ENOTNC4 is the answer to the others.
int inq_unlimdims(Dataset &own, int *count, int *dims);
int inq_ncid(Dataset &own, const char *name, int *group);
int inq_grps(Dataset &own, int *count, int *groups);
int inq_grpname(Dataset &own, char *name);
int inq_grpname_full(Dataset &own, size_t *length, char *name);
int inq_grpname_len(Dataset &own, size_t *length);
int inq_grp_parent(Dataset &own, int *parent);
int inq_grp_ncid(Dataset &own, const char *name, int *group);
int inq_grp_full_ncid(Dataset &own, const char *name, int *group);
int inq_varids(Dataset &own, int *count, int *variables);
int inq_dimids(Dataset &own, int *count, int *dims, int with_parents);
int inq_typeids(Dataset &own, int *count, int *types);
int inq_type(Dataset &own, nc_type type, char *name, size_t *bytes);
int inq_typeid(Dataset &own, const char *name, nc_type *type);
int inq_type_equal(Dataset &own, nc_type one, int other_ncid, nc_type other, int *equal);
int inq_var_chunking(Dataset &own, int variable, int *storage, size_t *chunks);
int inq_var_deflate(Dataset &own, int variable, int *shuffle, int *deflate, int *level);
int inq_var_fletcher32(Dataset &own, int variable, int *checksum);
int inq_var_szip(Dataset &own, int variable, int *options, int *pixels);
int inq_var_filter(Dataset &own, int variable, unsigned *filter, size_t *count, unsigned *parameters);
int inq_var_filter_ids(Dataset &own, int variable, size_t *count, unsigned *filters);
int inq_var_filter_info(Dataset &own, int variable, unsigned filter, size_t *count, unsigned *parameters);
int inq_filter_avail(Dataset &own, unsigned filter);
int show_metadata(Dataset &own);
int inq_var_endian(Dataset &own, int variable, int *endian);
int inq_var_quantize(Dataset &own, int variable, int *mode, int *digits);
int def_var_quantize(Dataset &own, int variable, int mode, int digits);

}  // namespace sv::netcdf
