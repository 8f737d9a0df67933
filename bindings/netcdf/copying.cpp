// Copies between files, each of which may be one of ours or netCDF's: by the calls of netCDF, which find out.
#include <utility>
#include <vector>

#include "base/arithmetic.hpp"
#include "calls.hpp"

namespace sv::netcdf {

namespace {

void must(int code) { refuse_if(code != NC_NOERR, code); }

/// Of an atomic type.
struct Stored {
  nc_type type = NC_NAT;
  size_t count = 0;
  std::vector<char> values;
};

}  // namespace

int copy_att(int from, int from_variable, const char *name, int to, int to_variable) {
  if (from == to && from_variable == to_variable) return NC_NOERR;
  Stored stored;
  must(nc_inq_att(from, from_variable, name, &stored.type, &stored.count));
  refuse_if(stored.type > NC_STRING, NC_EBADTYPE);
  stored.values.resize(stored.count * 8 + 8);
  must(nc_get_att(from, from_variable, name, stored.values.data()));
  const int code = nc_put_att(to, to_variable, name, stored.type, stored.count, stored.values.data());
  if (stored.type == NC_STRING) nc_free_string(stored.count, reinterpret_cast<char **>(stored.values.data()));
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
