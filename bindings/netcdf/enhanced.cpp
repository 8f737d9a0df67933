// Inquiry that only netCDF knows. Classic files have an answer to calls of netCDF-4: they have one group, and no types
// of their own.
#include <cstring>
#include <numeric>

#include "calls.hpp"

namespace sv::netcdf {

namespace {

constexpr const char *type_names[] = {nullptr, "byte",   "char", "short", "int",    "float", "double",
                                      "ubyte", "ushort", "uint", "int64", "uint64", "string"};
constexpr size_t type_bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, sizeof(char *)};

int assign_all(int *to, int *numbers, size_t count) {
  if (numbers != nullptr) std::iota(numbers, numbers + count, 0);
  return assign(to, count);
}

}  // namespace

int inq_format_extended(Dataset &own, int *format, int *mode) {
  assign(format, NC_FORMATX_NC3);
  return assign(mode, own.mode);
}

int inq_var_fill(Dataset &own, int variable, int *no_fill, void *value) {
  const Variable &own_variable = own.variable(variable);
  assign(no_fill, own.file->filling().variables[static_cast<size_t>(variable)] ? 0 : 1);
  const Element fill = own.schema().fill_value(own_variable);
  if (value != nullptr) std::memcpy(value, fill.data(), static_cast<size_t>(size_of(own_variable.type)));
  return NC_NOERR;
}

int inq_unlimdims(Dataset &own, int *count, int *dims) {
  const int dim = own.schema().record_dim();
  if (dim >= 0) assign(dims, dim);
  return assign(count, dim >= 0 ? 1 : 0);
}

int inq_ncid(Dataset &own, const char *, int *group) { return assign(group, own.ncid); }
int inq_grps(Dataset &, int *count, int *) { return assign(count, 0); }

int inq_grpname(Dataset &, char *name) { return assign_name(name, "/"); }
int inq_grpname_full(Dataset &own, size_t *length, char *name) {
  inq_grpname(own, name);
  return assign(length, 1);
}
int inq_grpname_len(Dataset &, size_t *length) { return assign(length, 1); }
int inq_grp_parent(Dataset &, int *) { return NC_ENOGRP; }
int inq_grp_ncid(Dataset &own, const char *, int *group) { return assign(group, own.ncid); }
int inq_grp_full_ncid(Dataset &, const char *, int *) { return NC_ENOGRP; }

int inq_varids(Dataset &own, int *count, int *variables) {
  return assign_all(count, variables, own.schema().variables.size());
}
int inq_dimids(Dataset &own, int *count, int *dims, int) { return assign_all(count, dims, own.schema().dims.size()); }
int inq_typeids(Dataset &, int *count, int *) { return assign(count, 0); }

int inq_type(Dataset &, nc_type type, char *name, size_t *bytes) {
  refuse_if(type < NC_BYTE || type > NC_STRING, NC_EBADTYPE);
  assign_name(name, type_names[type]);
  return assign(bytes, type_bytes[type]);
}

int inq_typeid(Dataset &, const char *name, nc_type *type) {
  for (int each = NC_BYTE; each <= NC_STRING; ++each)
    if (name != nullptr && std::strcmp(name, type_names[each]) == 0) return assign(type, each);
  return NC_ENOTNC4;
}

int inq_type_equal(Dataset &, nc_type one, int, nc_type other, int *equal) {
  if (equal == nullptr) return NC_NOERR;
  refuse_if(one <= NC_NAT || other <= NC_NAT, NC_EINVAL);
  return assign(equal, one == other && one <= NC_STRING ? 1 : 0);
}

int inq_var_chunking(Dataset &own, int variable, int *storage, size_t *) {
  own.variable(variable);
  return assign(storage, NC_CONTIGUOUS);
}

int inq_var_deflate(Dataset &own, int variable, int *shuffle, int *deflate, int *level) {
  own.variable(variable);
  assign(shuffle, 0);
  assign(level, 0);
  return assign(deflate, 0);
}

int inq_var_fletcher32(Dataset &own, int variable, int *checksum) {
  own.variable(variable);
  return assign(checksum, 0);
}

int inq_var_szip(Dataset &, int, int *options, int *pixels) {
  assign(options, 0);
  return assign(pixels, 0);
}

int inq_var_filter(Dataset &, int, unsigned *filter, size_t *, unsigned *) { return assign(filter, 0); }
int inq_var_filter_ids(Dataset &, int, size_t *count, unsigned *) { return assign(count, 0); }
int inq_var_filter_info(Dataset &, int, unsigned, size_t *, unsigned *) { return NC_ENOFILTER; }
int inq_filter_avail(Dataset &, unsigned) { return NC_ENOFILTER; }

int inq_var_endian(Dataset &own, int variable, int *) {
  own.variable(variable);
  return NC_ENOTNC4;
}
int inq_var_quantize(Dataset &, int variable, int *, int *) { return variable == NC_GLOBAL ? NC_EGLOBAL : NC_ENOTNC4; }
int def_var_quantize(Dataset &, int variable, int, int) { return variable == NC_GLOBAL ? NC_EGLOBAL : NC_ENOTNC4; }

int show_metadata(Dataset &) { return NC_NOERR; }

}  // namespace sv::netcdf
