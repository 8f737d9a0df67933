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
  refuse_if(variable != NC_GLOBAL && (variable < 0 || variable >= own.variable_count()), NC_ENOTVAR);
}

/// Bytes in the header.
int64_t header_bytes(const Stored &stored) {
  int64_t each = 0;
  must(sv_inq_type(stored.type, nullptr, &each));
  return (stored.count * each + 3) / 4 * 4;
}

bool has(const Dataset &own, int variable, const char *name, Stored &stored) {
  return sv_inq_att(own.file, variable, name, &stored.type, &stored.count) == SV_OK;
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
  refuse_if(attribute.type != own.variable(attribute.variable).type, NC_EBADTYPE);
  refuse_if(attribute.length != 1, NC_EINVAL);
  refuse_if(own.is_old(attribute.variable), NC_ELATEFILL);
}

std::vector<uint64_t> room_for(int64_t count) { return std::vector<uint64_t>(static_cast<size_t>(count) + 1); }

}  // namespace

Stored Dataset::attribute(int variable, const char *name) const {
  check_owner(*this, variable);
  check_name(name);
  Stored stored;
  refuse_if(!has(*this, variable, name, stored), NC_ENOTATT);
  return stored;
}

int Dataset::attribute_place(int variable, const char *name) const {
  attribute(variable, name);
  int place = 0;
  must(sv_inq_attid(file, variable, name, &place));
  return place;
}

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
  const Stored stored = own.attribute(variable, name);
  if (stored.count == 0) return NC_NOERR;
  const int in_memory = memory_type(own, memory, stored.type);
  refuse_if((in_memory == NC_CHAR) != (stored.type == NC_CHAR), NC_ECHAR);
  refuse_if(values == nullptr, NC_EINVAL);
  std::vector<uint64_t> as_stored = room_for(stored.count);
  must(sv_get_att(own.file, variable, name, stored.type, as_stored.data()));
  return convert(stored.type == NC_BYTE && in_memory == NC_BYTE ? NC_BYTE : stored.type, as_stored.data(), in_memory,
                 values, stored.count);
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
  own.attribute(variable, name);
  must(sv_del_att(own.file, variable, name));
  return NC_NOERR;
}

int copy_att(int from, int from_variable, const char *name, int to, int to_variable) {
  Dataset *const target = dataset(to);
  if (from == to && from_variable == to_variable) {
    target->attribute(to_variable, name);
    return NC_NOERR;
  }
  nc_type type = NC_NAT;
  MPI_Offset length = 0;
  refuse_if(target != nullptr && !target->is_writable, NC_EPERM);
  // By their C names: each goes to whom the file belongs to.
  if (const int code = ncmpi_inq_att(from, from_variable, name, &type, &length); code != NC_NOERR) return code;
  std::vector<uint64_t> values(static_cast<size_t>(length) + 1);
  if (const int code = ncmpi_get_att(from, from_variable, name, values.data()); code != NC_NOERR) return code;
  return ncmpi_put_att(to, to_variable, name, type, length, values.data());
}

}  // namespace sv::pnetcdf
