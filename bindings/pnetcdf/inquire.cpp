// Inquiry that only PnetCDF knows, or answers otherwise. All of it is local.
#include <cstring>

#include "calls.hpp"

namespace sv::pnetcdf {

namespace {

int variables_with_records(Dataset &own) {
  int count = 0;
  for (int v = 0; v < own.variable_count(); ++v) count += own.variable(v).has_records ? 1 : 0;
  return count;
}

struct HeaderPlaces {
  int64_t header_bytes = 0, data_begin = 0, record_bytes = 0;
};

HeaderPlaces places_of(const Dataset &own) {
  HeaderPlaces places;
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  must(sv_inq_file_layout(own.file, &places.header_bytes, &places.data_begin, &places.record_bytes));
  return places;
}

}  // namespace

int inq_num_rec_vars(Dataset &own, int *count) { return assign(count, variables_with_records(own)); }
int inq_num_fix_vars(Dataset &own, int *count) {
  return assign(count, own.variable_count() - variables_with_records(own));
}

int inq_version(Dataset &own, int *mode) {
  const int modes[] = {0, NC_CLASSIC_MODEL, NC_64BIT_OFFSET, 0, 0, NC_64BIT_DATA};
  return assign(mode, modes[own.format]);
}

int inq_striping(Dataset &, int *bytes, int *count) {
  assign(bytes, 0);
  return assign(count, 0);
}

int inq_var(Dataset &own, int variable, char *name, nc_type *type, int *ndims, int *dims, int *natts) {
  if (variable != NC_GLOBAL) return face::inq_var(own, variable, name, type, ndims, dims, natts);
  refuse_if(name != nullptr || type != nullptr || ndims != nullptr || dims != nullptr, NC_EGLOBAL);
  return inq_natts(own, natts);
}

int inq_varoffset(Dataset &own, int variable, MPI_Offset *offset) {
  own.variable(variable);
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  int64_t begin = 0;
  must(sv_inq_varoffset(own.file, variable, &begin));
  return assign(offset, begin);
}

int inq_put_size(Dataset &own, MPI_Offset *bytes) { return assign(bytes, own.account.put_bytes); }
int inq_get_size(Dataset &own, MPI_Offset *bytes) { return assign(bytes, own.account.got_bytes); }
int inq_header_size(Dataset &own, MPI_Offset *bytes) { return assign(bytes, places_of(own).header_bytes); }
int inq_header_extent(Dataset &own, MPI_Offset *bytes) {
  const HeaderPlaces places = places_of(own);
  if (own.layout.is_placed) return assign(bytes, own.layout.data_begin);
  return assign(bytes, own.variable_count() > 0 ? places.data_begin : places.header_bytes);
}
int inq_recsize(Dataset &own, MPI_Offset *bytes) { return assign(bytes, places_of(own).record_bytes); }

int inq_var_fill(Dataset &own, int variable, int *no_fill, void *value) {
  own.variable(variable);
  assign(no_fill, own.fills[static_cast<size_t>(variable)] ? 0 : 1);
  uint64_t fill = 0;
  int defined = 0;
  int64_t bytes = 0;
  must(sv_inq_fill(own.file, variable, &defined, &fill));
  must(sv_inq_type(own.variable(variable).type, nullptr, &bytes));
  if (value != nullptr) std::memcpy(value, &fill, static_cast<size_t>(bytes));
  return NC_NOERR;
}

int inq_file_info(Dataset &own, MPI_Info *info) {
  refuse_if(info == nullptr, NC_EINVAL);
  MPI_Info_dup(own.hints, info);
  return NC_NOERR;
}
int get_file_info(Dataset &own, MPI_Info *info) { return inq_file_info(own, info); }

}  // namespace sv::pnetcdf
