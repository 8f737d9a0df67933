// Inquiry. All of it is local.
#include <cstring>

#include "calls.hpp"
#include "names.hpp"

namespace sv::pnetcdf {

namespace {

template <class T, class U>
int tell(T *to, U value) {
  if (to != nullptr) *to = static_cast<T>(value);
  return NC_NOERR;
}

int variables_with_records(Dataset &own) {
  int count = 0;
  for (int v = 0; v < own.variables(); ++v) count += own.shape(v).has_records ? 1 : 0;
  return count;
}

struct HeaderPlaces {
  int64_t header_bytes = 0, data_begin = 0, record_bytes = 0;
};

HeaderPlaces places_of(const Dataset &own) {
  HeaderPlaces places;
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  must(sv_inq_places(own.file, &places.header_bytes, &places.data_begin, &places.record_bytes));
  return places;
}

}  // namespace

int inq(Dataset &own, int *ndims, int *nvars, int *natts, int *record_dim) {
  must(sv_inq(own.file, ndims, nvars, natts, record_dim));
  return NC_NOERR;
}

int inq_ndims(Dataset &own, int *count) { return inq(own, count, nullptr, nullptr, nullptr); }
int inq_nvars(Dataset &own, int *count) { return inq(own, nullptr, count, nullptr, nullptr); }
int inq_natts(Dataset &own, int *count) { return inq(own, nullptr, nullptr, count, nullptr); }
int inq_unlimdim(Dataset &own, int *dim) { return tell(dim, own.record_dim); }
int inq_num_rec_vars(Dataset &own, int *count) { return tell(count, variables_with_records(own)); }
int inq_num_fix_vars(Dataset &own, int *count) { return tell(count, own.variables() - variables_with_records(own)); }

int inq_format(Dataset &own, int *format) { return tell(format, own.format); }

int inq_version(Dataset &own, int *mode) {
  const int modes[] = {0, NC_CLASSIC_MODEL, NC_64BIT_OFFSET, 0, 0, NC_64BIT_DATA};
  return tell(mode, modes[own.format]);
}

int inq_striping(Dataset &, int *bytes, int *count) {
  tell(bytes, 0);
  return tell(count, 0);
}

int inq_dimid(Dataset &own, const char *name, int *dim) {
  check_name(name);
  int found = -1;
  refuse_if(sv_inq_dimid(own.file, name, &found) != SV_OK, NC_EBADDIM);
  return tell(dim, found);
}

int inq_dim(Dataset &own, int dim, char *name, MPI_Offset *length) {
  char own_name[SV_MAX_NAME];
  int64_t own_length = 0;
  refuse_if(dim < 0 || sv_inq_dim(own.file, dim, own_name, &own_length) != SV_OK, NC_EBADDIM);
  if (name != nullptr) std::strcpy(name, own_name);
  return tell(length, own_length);
}

int inq_dimname(Dataset &own, int dim, char *name) { return inq_dim(own, dim, name, nullptr); }
int inq_dimlen(Dataset &own, int dim, MPI_Offset *length) { return inq_dim(own, dim, nullptr, length); }

int inq_var(Dataset &own, int variable, char *name, nc_type *type, int *ndims, int *dims, int *natts) {
  if (variable == NC_GLOBAL) {
    refuse_if(name != nullptr || type != nullptr || ndims != nullptr || dims != nullptr, NC_EGLOBAL);
    return inq_natts(own, natts);
  }
  char own_name[SV_MAX_NAME];
  int own_dims[SV_MAX_DIMS], count = 0;
  own.shape(variable);
  must(sv_inq_var(own.file, variable, own_name, type, &count, own_dims, natts));
  if (name != nullptr) std::strcpy(name, own_name);
  for (int d = 0; dims != nullptr && d < count; ++d) dims[d] = own_dims[d];
  return tell(ndims, count);
}

int inq_varid(Dataset &own, const char *name, int *variable) {
  check_name(name);
  int found = -1;
  refuse_if(sv_inq_varid(own.file, name, &found) != SV_OK, NC_ENOTVAR);
  return tell(variable, found);
}

int inq_varname(Dataset &own, int variable, char *name) {
  own.shape(variable);
  return inq_var(own, variable, name, nullptr, nullptr, nullptr, nullptr);
}
int inq_vartype(Dataset &own, int variable, nc_type *type) { return tell(type, own.shape(variable).type); }
int inq_varndims(Dataset &own, int variable, int *ndims) { return tell(ndims, own.shape(variable).lengths.size()); }
int inq_vardimid(Dataset &own, int variable, int *dims) {
  own.shape(variable);
  return inq_var(own, variable, nullptr, nullptr, nullptr, dims, nullptr);
}
int inq_varnatts(Dataset &own, int variable, int *natts) {
  return inq_var(own, variable, nullptr, nullptr, nullptr, nullptr, natts);
}

int inq_varoffset(Dataset &own, int variable, MPI_Offset *offset) {
  own.shape(variable);
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  int64_t begin = 0;
  must(sv_inq_varoffset(own.file, variable, &begin));
  return tell(offset, begin);
}

int inq_put_size(Dataset &own, MPI_Offset *bytes) { return tell(bytes, own.account.put_bytes); }
int inq_get_size(Dataset &own, MPI_Offset *bytes) { return tell(bytes, own.account.got_bytes); }
int inq_header_size(Dataset &own, MPI_Offset *bytes) { return tell(bytes, places_of(own).header_bytes); }
int inq_header_extent(Dataset &own, MPI_Offset *bytes) {
  const HeaderPlaces places = places_of(own);
  if (own.layout.is_placed) return tell(bytes, own.layout.data_begin);
  return tell(bytes, own.variables() > 0 ? places.data_begin : places.header_bytes);
}
int inq_recsize(Dataset &own, MPI_Offset *bytes) { return tell(bytes, places_of(own).record_bytes); }

int inq_var_fill(Dataset &own, int variable, int *no_fill, void *value) {
  own.shape(variable);
  tell(no_fill, own.fills[static_cast<size_t>(variable)] ? 0 : 1);
  uint64_t fill = 0;
  int defined = 0;
  int64_t bytes = 0;
  must(sv_inq_fill(own.file, variable, &defined, &fill));
  must(sv_inq_type(own.shape(variable).type, nullptr, &bytes));
  if (value != nullptr) std::memcpy(value, &fill, static_cast<size_t>(bytes));
  return NC_NOERR;
}

int inq_path(Dataset &own, int *length, char *path) {
  if (path != nullptr) std::strcpy(path, own.path.c_str());
  return tell(length, own.path.size());
}

int inq_file_info(Dataset &own, MPI_Info *info) {
  refuse_if(info == nullptr, NC_EINVAL);
  MPI_Info_dup(own.hints, info);
  return NC_NOERR;
}
int get_file_info(Dataset &own, MPI_Info *info) { return inq_file_info(own, info); }

}  // namespace sv::pnetcdf
