// Inquiry. It never waits.
#include <cstring>

#include "inquiry.hpp"
#include "names.hpp"

namespace sv::netcdf {

namespace {

void tell_name(char *to, const std::string &name) {
  if (to != nullptr) std::strcpy(to, name.c_str());
}

}  // namespace

int inq(Dataset &own, int *ndims, int *nvars, int *natts, int *record_dim) {
  tell(ndims, own.schema().dims.size());
  tell(nvars, own.schema().variables.size());
  tell(natts, own.schema().attributes.size());
  return tell(record_dim, own.schema().record_dim());
}

int inq_ndims(Dataset &own, int *count) { return tell(count, own.schema().dims.size()); }
int inq_nvars(Dataset &own, int *count) { return tell(count, own.schema().variables.size()); }
int inq_natts(Dataset &own, int *count) { return tell(count, own.schema().attributes.size()); }
int inq_unlimdim(Dataset &own, int *dim) { return tell(dim, own.schema().record_dim()); }
int inq_format(Dataset &own, int *format) { return tell(format, own.schema().format); }

int inq_format_extended(Dataset &own, int *format, int *mode) {
  tell(format, NC_FORMATX_NC3);
  return tell(mode, own.mode);
}

int inq_path(Dataset &own, size_t *length, char *path) {
  tell_name(path, own.path);
  return tell(length, own.path.size());
}

int inq_dimid(Dataset &own, const char *name, int *dim) {
  const int found = own.dims.find(own.schema().dims, wanted_name(name));
  refuse_if(found < 0, NC_EBADDIM);
  return tell(dim, found);
}

int inq_dim(Dataset &own, int dim, char *name, size_t *length) {
  refuse_if(dim < 0 || dim >= std::ssize(own.schema().dims), NC_EBADDIM);
  tell_name(name, own.schema().dims[static_cast<size_t>(dim)].name);
  return tell(length, own.length_of(dim));
}

int inq_dimname(Dataset &own, int dim, char *name) { return inq_dim(own, dim, name, nullptr); }
int inq_dimlen(Dataset &own, int dim, size_t *length) { return inq_dim(own, dim, nullptr, length); }

int inq_varid(Dataset &own, const char *name, int *variable) {
  const int found = own.variables.find(own.schema().variables, wanted_name(name));
  refuse_if(found < 0, NC_ENOTVAR);
  return tell(variable, found);
}

int inq_var(Dataset &own, int variable, char *name, nc_type *type, int *ndims, int *dims, int *natts) {
  const Variable &own_variable = own.variable(variable);
  tell_name(name, own_variable.name);
  tell(type, own_variable.type);
  tell(ndims, own_variable.dims.size());
  for (size_t d = 0; dims != nullptr && d < own_variable.dims.size(); ++d) dims[d] = own_variable.dims[d];
  return tell(natts, own_variable.attributes.size());
}

int inq_varname(Dataset &own, int variable, char *name) {
  return inq_var(own, variable, name, nullptr, nullptr, nullptr, nullptr);
}
int inq_vartype(Dataset &own, int variable, nc_type *type) { return tell(type, own.variable(variable).type); }
int inq_varndims(Dataset &own, int variable, int *ndims) { return tell(ndims, own.variable(variable).dims.size()); }
int inq_vardimid(Dataset &own, int variable, int *dims) {
  return inq_var(own, variable, nullptr, nullptr, nullptr, dims, nullptr);
}
int inq_varnatts(Dataset &own, int variable, int *natts) {
  if (variable == NC_GLOBAL) return inq_natts(own, natts);
  return tell(natts, own.variable(variable).attributes.size());
}

int inq_var_fill(Dataset &own, int variable, int *no_fill, void *value) {
  const Variable &own_variable = own.variable(variable);
  tell(no_fill, own.file->filling().variables[static_cast<size_t>(variable)] ? 0 : 1);
  const Element fill = own.schema().fill_value(own_variable);
  if (value != nullptr) std::memcpy(value, fill.data(), static_cast<size_t>(size_of(own_variable.type)));
  return NC_NOERR;
}

}  // namespace sv::netcdf
