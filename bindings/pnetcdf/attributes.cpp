// Attributes.
#include <cstring>
#include <vector>

#include "calls.hpp"
#include "changing.hpp"
#include "convert.hpp"
#include "names.hpp"

namespace sv::pnetcdf {

namespace {

void check_owner(const Dataset &own, int variable) {
  refuse_if(variable != NC_GLOBAL && (variable < 0 || variable >= own.variables()), NC_ENOTVAR);
}

struct Stored {
  int type = 0;
  int64_t count = 0;
};

/// Bytes in the header.
int64_t header_bytes(const Stored &stored) {
  int64_t each = 0;
  must(sv_inq_type(stored.type, nullptr, &each));
  return (stored.count * each + 3) / 4 * 4;
}

bool has(const Dataset &own, int variable, const char *name, Stored &stored) {
  return sv_inq_att(own.file, variable, name, &stored.type, &stored.count) == SV_OK;
}

Stored found(const Dataset &own, int variable, const char *name) {
  check_owner(own, variable);
  check_name(name);
  Stored stored;
  refuse_if(!has(own, variable, name, stored), NC_ENOTATT);
  return stored;
}

/// The type in memory of a datatype in a call's name; of none, that of the values in the file.
int memory_type(const Dataset &own, MPI_Datatype memory, int stored) {
  if (memory == MPI_DATATYPE_NULL) return stored;
  int type = 0;
  must(sv_inq_datatype(memory, 1, &type, nullptr, nullptr));
  // Files without unsigned types keep unsigned bytes in those that have a sign.
  return type == NC_UBYTE && stored == NC_BYTE && own.format != NC_FORMAT_CDF5 ? NC_BYTE : type;
}

/// What netCDF says to a _FillValue.
void check_fill(Dataset &own, const NewAttribute &attribute) {
  if (attribute.variable == NC_GLOBAL || std::strcmp(attribute.name, "_FillValue") != 0) return;
  refuse_if(attribute.type != own.shape(attribute.variable).type, NC_EBADTYPE);
  refuse_if(attribute.length != 1, NC_EINVAL);
  refuse_if(own.is_old(attribute.variable), NC_ELATEFILL);
}

std::vector<uint64_t> room_for(int64_t count) { return std::vector<uint64_t>(static_cast<size_t>(count) + 1); }

}  // namespace

int put_att(Dataset &own, const NewAttribute &attribute, MPI_Datatype memory, const void *values) {
  refuse_if(!own.is_writable, NC_EPERM);
  check_owner(own, attribute.variable);
  check_name(attribute.name);
  refuse_if(attribute.type <= 0 || attribute.type > NC_UINT64, NC_EBADTYPE);
  const int in_memory = memory_type(own, memory, attribute.type);
  refuse_if((in_memory == NC_CHAR) != (attribute.type == NC_CHAR), NC_ECHAR);
  refuse_if(attribute.type > NC_DOUBLE && own.format != NC_FORMAT_CDF5, NC_ESTRICTCDF2);
  refuse_if(attribute.length < 0 || (attribute.length > 0 && values == nullptr), NC_EINVAL);
  refuse_if(attribute.length > NC_MAX_INT, NC_EINVAL);
  check_fill(own, attribute);
  Stored before;
  const bool stands = has(own, attribute.variable, attribute.name, before);
  const bool room = stands && header_bytes({attribute.type, attribute.length}) <= header_bytes(before);
  std::vector<uint64_t> converted = room_for(attribute.length);
  const int range = convert(in_memory, values, attribute.type, converted.data(), attribute.length);
  const int code = changed(own, room, [&] {
    must_name(
        sv_put_att(own.file, attribute.variable, attribute.name, attribute.type, attribute.length, converted.data()));
  });
  return code != NC_NOERR ? code : range;
}

int get_att(Dataset &own, int variable, const char *name, MPI_Datatype memory, void *values) {
  const Stored stored = found(own, variable, name);
  if (stored.count == 0) return NC_NOERR;
  const int in_memory = memory_type(own, memory, stored.type);
  refuse_if((in_memory == NC_CHAR) != (stored.type == NC_CHAR), NC_ECHAR);
  refuse_if(values == nullptr, NC_EINVAL);
  std::vector<uint64_t> as_stored = room_for(stored.count);
  must(sv_get_att(own.file, variable, name, stored.type, as_stored.data()));
  return convert(stored.type == NC_BYTE && in_memory == NC_BYTE ? NC_BYTE : stored.type, as_stored.data(), in_memory,
                 values, stored.count);
}

int inq_att(Dataset &own, int variable, const char *name, nc_type *type, MPI_Offset *length) {
  const Stored stored = found(own, variable, name);
  if (type != nullptr) *type = stored.type;
  if (length != nullptr) *length = stored.count;
  return NC_NOERR;
}

int inq_attid(Dataset &own, int variable, const char *name, int *number) {
  found(own, variable, name);
  int place = 0;
  must(sv_inq_attid(own.file, variable, name, &place));
  if (number != nullptr) *number = place;
  return NC_NOERR;
}

int inq_atttype(Dataset &own, int variable, const char *name, nc_type *type) {
  return inq_att(own, variable, name, type, nullptr);
}

int inq_attlen(Dataset &own, int variable, const char *name, MPI_Offset *length) {
  return inq_att(own, variable, name, nullptr, length);
}

int inq_attname(Dataset &own, int variable, int number, char *name) {
  check_owner(own, variable);
  char own_name[SV_MAX_NAME];
  refuse_if(sv_inq_attname(own.file, variable, number, own_name) != SV_OK, NC_ENOTATT);
  refuse_if(name == nullptr, NC_EINVAL);
  std::strcpy(name, own_name);
  return NC_NOERR;
}

int rename_att(Dataset &own, int variable, const char *name, const char *new_name) {
  refuse_if(!own.is_writable, NC_EPERM);
  check_owner(own, variable);
  check_name(name);
  check_name(new_name);
  Stored stored;
  refuse_if(!has(own, variable, name, stored), NC_ENOTATT);
  refuse_if(has(own, variable, new_name, stored), NC_ENAMEINUSE);
  return changed(own, std::strlen(new_name) <= std::strlen(name),
                 [&] { must_name(sv_rename_att(own.file, variable, name, new_name)); });
}

int del_att(Dataset &own, int variable, const char *name) {
  refuse_if(!own.is_writable, NC_EPERM);
  refuse_if(own.mode != Mode::define, NC_ENOTINDEFINE);
  found(own, variable, name);
  must(sv_del_att(own.file, variable, name));
  return NC_NOERR;
}

}  // namespace sv::pnetcdf
