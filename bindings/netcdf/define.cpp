// Definitions: dimensions, variables and fill values.
#include <cstring>
#include <limits>

#include "calls.hpp"
#include "changing.hpp"
#include "names.hpp"

namespace sv::netcdf {

namespace {

void require_define(const Dataset &own) { refuse_if(!own.file->is_defining(), NC_ENOTINDEFINE); }

size_t longest_dimension(const Dataset &own) {
  switch (own.schema().format) {
    case Format::cdf1:
      return size_t{std::numeric_limits<int32_t>::max()} - 3;
    case Format::cdf2:
      return size_t{std::numeric_limits<uint32_t>::max()} - 3;
    default:
      return size_t{std::numeric_limits<int64_t>::max()} - 3;
  }
}

}  // namespace

int def_dim(Dataset &own, const char *name, size_t length, int *dim) {
  require_define(own);
  const std::string own_name = checked_name(name);
  refuse_if(length > longest_dimension(own), NC_EDIMSIZE);
  auto &dims = own.schema().dims;
  refuse_if(length == NC_UNLIMITED && own.schema().record_dim() >= 0, NC_EUNLIMIT);
  refuse_if(own.dims.find(dims, own_name) >= 0, NC_ENAMEINUSE);
  dims.push_back({own_name, static_cast<int64_t>(length), length == NC_UNLIMITED});
  if (dim != nullptr) *dim = static_cast<int>(dims.size()) - 1;
  return NC_NOERR;
}

int def_var(Dataset &own, const char *name, nc_type type, int ndims, const int *dims, int *variable) {
  require_define(own);
  const std::string own_name = checked_name(name);
  check_type(own, type);
  refuse_if(ndims > NC_MAX_VAR_DIMS, NC_EMAXDIMS);
  refuse_if(ndims < 0, NC_EINVAL);
  auto &variables = own.schema().variables;
  refuse_if(own.variables.find(variables, own_name) >= 0, NC_ENAMEINUSE);
  Variable made{own_name, static_cast<Type>(type), {}, {}, false};
  for (int d = 0; d < ndims; ++d) {
    refuse_if(dims[d] < 0 || dims[d] >= std::ssize(own.schema().dims), NC_EBADDIM);
    const bool is_record = own.schema().dims[static_cast<size_t>(dims[d])].is_record;
    refuse_if(is_record && d > 0, NC_EUNLIMPOS);
    made.has_records = made.has_records || is_record;
    made.dims.push_back(dims[d]);
  }
  variables.push_back(std::move(made));
  own.file->filling().variables.push_back(own.file->filling().records);
  if (variable != nullptr) *variable = static_cast<int>(variables.size()) - 1;
  return NC_NOERR;
}

int rename_dim(Dataset &own, int dim, const char *name) {
  refuse_if(!own.file->is_writable(), NC_EPERM);
  const std::string own_name = checked_name(name);
  auto &dims = own.schema().dims;
  refuse_if(own.dims.find(dims, own_name) >= 0, NC_ENAMEINUSE);
  refuse_if(dim < 0 || dim >= std::ssize(dims), NC_EBADDIM);
  const std::string before = dims[static_cast<size_t>(dim)].name;
  rename(own, dims[static_cast<size_t>(dim)].name, own_name);
  own.dims.rename(dim, before, own_name);
  return NC_NOERR;
}

int rename_var(Dataset &own, int variable, const char *name) {
  refuse_if(!own.file->is_writable(), NC_EPERM);
  const std::string own_name = checked_name(name);
  refuse_if(own.variables.find(own.schema().variables, own_name) >= 0, NC_ENAMEINUSE);
  refuse_if(variable == NC_GLOBAL, NC_EGLOBAL);
  const std::string before = own.variable(variable).name;
  rename(own, own.variable(variable).name, own_name);
  own.variables.rename(variable, before, own_name);
  return NC_NOERR;
}

int set_fill(Dataset &own, int mode, int *before) {
  refuse_if(!own.file->is_writable(), NC_EPERM);
  refuse_if(mode != NC_FILL && mode != NC_NOFILL, NC_EINVAL);
  bool &fills = own.file->filling().records;
  if (before != nullptr) *before = fills ? NC_FILL : NC_NOFILL;
  fills = mode == NC_FILL;
  own.file->filling().variables.assign(own.schema().variables.size(), fills);
  return NC_NOERR;
}

int def_var_fill(Dataset &own, int variable, int no_fill, const void *value) {
  refuse_if(variable == NC_GLOBAL, NC_EGLOBAL);
  refuse_if(!own.file->is_writable(), NC_EPERM);
  require_define(own);
  Variable &changed = own.variable(variable);
  own.file->filling().variables[static_cast<size_t>(variable)] = no_fill == 0;
  if (no_fill != 0 || value == nullptr) return NC_NOERR;
  std::erase_if(changed.attributes, [](const Attribute &each) { return each.name == "_FillValue"; });
  own.attributes.erase(variable);
  return put_att(own, {variable, "_FillValue", static_cast<nc_type>(changed.type), 1},
                 static_cast<nc_type>(changed.type), value);
}

}  // namespace sv::netcdf
