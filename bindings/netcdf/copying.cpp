// Copies between files, each of which may be one of ours or netCDF's: by the calls of netCDF, which find out.
#include <cstring>
#include <utility>
#include <vector>

#include "base/arithmetic.hpp"
#include "calls.hpp"

namespace sv::netcdf {

namespace {

void must(int code) { refuse_if(code != NC_NOERR, code); }

struct Stored {
  nc_type type = NC_NAT, type_there = NC_NAT;  // in the other file
  size_t width = 8;                            // of a value, at most
  int kind = NC_NAT;                           // of a user-defined type
  size_t count = 0;
  std::vector<char> values;
};

struct UserType {
  int file;
  nc_type number, base = NC_NAT;
  char name[NC_MAX_NAME + 1] = "";
  size_t width = 0, fields = 0;
  int kind = NC_NAT;

  UserType(int of, nc_type type) : file(of), number(type) {
    if (type > NC_STRING) must(nc_inq_user_type(of, type, name, &width, &base, &fields, &kind));
  }
};

bool is_equal(const UserType &one, const UserType &other);

bool has_equal_field(const UserType &one, const UserType &other, int field) {
  char name[NC_MAX_NAME + 1], other_name[NC_MAX_NAME + 1];
  long long value = 0, other_value = 0;
  size_t offset = 0, other_offset = 0;
  nc_type type = NC_NAT, other_type = NC_NAT;
  if (one.kind == NC_ENUM) {
    must(nc_inq_enum_member(one.file, one.number, field, name, &value));
    must(nc_inq_enum_member(other.file, other.number, field, other_name, &other_value));
    return std::strcmp(name, other_name) == 0 && value == other_value;
  }
  must(nc_inq_compound_field(one.file, one.number, field, name, &offset, &type, nullptr, nullptr));
  must(
      nc_inq_compound_field(other.file, other.number, field, other_name, &other_offset, &other_type, nullptr, nullptr));
  return std::strcmp(name, other_name) == 0 && offset == other_offset &&
         is_equal({one.file, type}, {other.file, other_type});
}

/// Compares names, kinds and members, like nc_copy_att: nc_inq_type_equal fails for types that are not in a file yet.
bool is_equal(const UserType &one, const UserType &other) {
  if (one.number <= NC_STRING || other.number <= NC_STRING) return one.number == other.number;
  if (std::strcmp(one.name, other.name) != 0 || one.kind != other.kind || one.width != other.width) return false;
  if (one.kind == NC_VLEN) return is_equal({one.file, one.base}, {other.file, other.base});
  if (one.base != other.base || one.fields != other.fields) return false;
  for (int field = 0; field < static_cast<int>(one.fields); ++field)
    if (!has_equal_field(one, other, field)) return false;
  return true;
}

/// The other file must have an equal type of its name.
void find_type_there(int from, int to, Stored &stored) {
  stored.type_there = stored.type;
  if (stored.type <= NC_STRING) return;
  const UserType type(from, stored.type);
  refuse_if(nc_inq_typeid(to, type.name, &stored.type_there) != NC_NOERR, NC_EBADTYPE);
  refuse_if(!is_equal(type, {to, stored.type_there}), NC_EBADTYPE);
  stored.width = type.width;
  stored.kind = type.kind;
}

}  // namespace

int copy_att(int from, int from_variable, const char *name, int to, int to_variable) {
  if (from == to && from_variable == to_variable) return NC_NOERR;
  Stored stored;
  must(nc_inq_att(from, from_variable, name, &stored.type, &stored.count));
  find_type_there(from, to, stored);
  stored.values.resize(stored.count * stored.width + 8);
  must(nc_get_att(from, from_variable, name, stored.values.data()));
  const int code = nc_put_att(to, to_variable, name, stored.type_there, stored.count, stored.values.data());
  if (stored.type == NC_STRING) nc_free_string(stored.count, reinterpret_cast<char **>(stored.values.data()));
  if (stored.kind == NC_VLEN) nc_free_vlens(stored.count, reinterpret_cast<nc_vlen_t *>(stored.values.data()));
  return code;
}

namespace {

struct Copied {
  char name[NC_MAX_NAME + 1];
  nc_type type;
  int ndims, natts;
  std::vector<int> dims;
};

/// The dimensions of the same names in the other file; they must have the same lengths.
std::vector<int> dims_there(int from, int to, const Copied &variable) {
  std::vector<int> there;
  for (const int dim : variable.dims) {
    char name[NC_MAX_NAME + 1];
    size_t length = 0, length_there = 0;
    int record_dim = -1, record_dim_there = -1;
    must(nc_inq_dim(from, dim, name, &length));
    must(nc_inq_dimid(to, name, &there.emplace_back()));
    must(nc_inq_dimlen(to, there.back(), &length_there));
    must(nc_inq_unlimdim(from, &record_dim));
    must(nc_inq_unlimdim(to, &record_dim_there));
    const bool grows = dim == record_dim && there.back() == record_dim_there;
    refuse_if(!grows && length != length_there, NC_EBADDIM);
  }
  return there;
}

int define_copy(int from, int number, int to, Copied &variable) {
  int made = -1;
  const std::vector<int> dims = dims_there(from, to, variable);
  const int mode = nc_redef(to);
  refuse_if(mode != NC_NOERR && mode != NC_EINDEFINE, mode);
  must(nc_def_var(to, variable.name, variable.type, variable.ndims, dims.data(), &made));
  for (int a = 0; a < variable.natts; ++a) {
    char name[NC_MAX_NAME + 1];
    must(nc_inq_attname(from, number, a, name));
    must(copy_att(from, number, name, to, made));
  }
  must(nc_enddef(to));
  return made;
}

}  // namespace

int copy_var(int from, int number, int to) {
  Copied variable{};
  must(nc_inq_var(from, number, variable.name, &variable.type, &variable.ndims, nullptr, &variable.natts));
  refuse_if(variable.type > NC_UINT64, NC_EBADTYPE);
  variable.dims.resize(static_cast<size_t>(variable.ndims) + 1);
  must(nc_inq_vardimid(from, number, variable.dims.data()));
  variable.dims.pop_back();
  const int made = define_copy(from, number, to, variable);
  const auto n = static_cast<size_t>(variable.ndims);
  std::vector<size_t> start(n + 1, 0), count(n + 1, 1);
  int64_t bytes = 8;  // of a row, at most
  for (size_t d = 0; d < n; ++d) {
    must(nc_inq_dimlen(from, variable.dims[d], &count[d]));
    refuse_if(d > 0 && !multiply_into(bytes, static_cast<int64_t>(count[d])), NC_ENOMEM);
  }
  const size_t rows = n == 0 ? 1 : std::exchange(count[0], 1);  // one of the first dimension after the other
  std::vector<char> values(static_cast<size_t>(bytes));
  for (size_t row = 0; row < rows && bytes > 0; ++row) {
    start[0] = row;
    must(nc_get_vara(from, number, start.data(), count.data(), values.data()));
    must(nc_put_vara(to, made, start.data(), count.data(), values.data()));
  }
  return NC_NOERR;
}

}  // namespace sv::netcdf
