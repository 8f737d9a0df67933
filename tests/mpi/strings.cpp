// Attributes of strings: none, one and several, of the file and of a variable, in netCDF-4 files and Zarr groups; read
// by netCDF-C and by Sverdrup, copied, changed after sv_redef, and refused where a format has none.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=2 limit=60 name=zarr args=store=zarr
#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

using Strings = std::vector<std::string>;

void put(sv_file *file, int var, const char *name, const Strings &strings) {
  std::vector<const char *> values;
  for (const std::string &each : strings) values.push_back(each.c_str());
  SV_MUST(sv_put_att_string(file, var, name, static_cast<int64_t>(values.size()), values.data()));
}

Strings got(sv_file *file, int var, const char *name) {
  int type = 0;
  int64_t count = -1;
  SV_MUST(sv_inq_att(file, var, name, &type, &count));
  require(type == SV_STRING, std::string(name) + " is of type " + std::to_string(type));
  std::vector<char *> values(static_cast<size_t>(count) + 1);
  SV_MUST(sv_get_att_string(file, var, name, values.data()));
  const Strings strings(values.begin(), values.begin() + count);
  SV_MUST(sv_free_string(count, values.data()));
  require(values.front() == nullptr, "sv_free_string left a pointer");
  return strings;
}

const Strings none, one{"sea water"}, several{"cold", "", "wärmer"}, changed{"north", "south"};

void check(sv_file *file, const Strings &flags) {
  const int temp = var_id(file, "temp");
  require(got(file, SV_GLOBAL, "none") == none && got(file, SV_GLOBAL, "one") == one, "strings of the file");
  require(got(file, temp, "one") == one && got(file, temp, "flags") == flags, "strings of the variable");
  char text[64] = "";
  expect("a string as text", {SV_ETYPE, {"'one'", "sv_get_att_string"}},
         [&] { return sv_get_att(file, temp, "one", SV_CHAR, text); });
  char *units = nullptr;
  SV_MUST(sv_get_att_string(file, temp, "units", &units));
  require(units == std::string("K"), "text as a string");
  SV_MUST(sv_free_string(1, &units));
}

void check_by_netcdf(const std::string &path, const Strings &right) {
  int id = -1, var = -1;
  nc_type type = NC_NAT;
  size_t count = 0;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  nc(nc_inq_varid(id, "temp", &var), "temp");
  nc(nc_inq_att(id, var, "flags", &type, &count), "flags");
  require(type == NC_STRING && count == right.size(), "netCDF-C finds other strings");
  std::vector<char *> values(count);
  nc(nc_get_att_string(id, var, "flags", values.data()), "flags");
  for (size_t i = 0; i < count; ++i) require(values[i] == right[i], "netCDF-C reads other strings");
  nc_free_string(count, values.data());
  nc(nc_close(id), path);
}

void write(sv_context *io, const std::string &path, bool is_zarr) {
  int temp = -1;
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, path.c_str(), SV_CLOBBER, &file));
  SV_MUST(sv_def_var(file, "temp", SV_FLOAT, 0, nullptr, &temp));
  put(file, SV_GLOBAL, "none", none);
  put(file, SV_GLOBAL, "one", one);
  put(file, temp, "one", one);
  put(file, temp, "flags", several);
  SV_MUST(sv_put_att_text(file, temp, "units", "K"));
  check(file, several);
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  if (!is_zarr) at_root([&] { check_by_netcdf(path, several); });
  file = open_file(io, path, SV_WRITE);
  check(file, several);
  SV_MUST(sv_redef(file));
  put(file, var_id(file, "temp"), "flags", changed);
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  if (!is_zarr) at_root([&] { check_by_netcdf(path, changed); });
  file = open_file(io, path);
  check(file, changed);
  SV_MUST(sv_close(file));
}

/// CDF files: a copy of one string is text, and strings are refused.
void refuse_in_cdf(const std::string &from_path, sv_context *from_io) {
  sv_context *io = start(MPI_COMM_WORLD, {"store=cdf"});
  sv_file *const from = open_file(from_io, from_path);
  sv_file *file = nullptr;
  int temp = -1, type = 0;
  SV_MUST(sv_create(io, "strings_cdf.nc", SV_CLOBBER, &file));
  SV_MUST(sv_def_var(file, "temp", SV_FLOAT, 0, nullptr, &temp));
  SV_MUST(sv_copy_att(from, var_id(from, "temp"), "one", file, temp));
  SV_MUST(sv_inq_att(file, temp, "one", &type, nullptr));
  require(type == SV_CHAR, "a copied string is no text");
  const char *const values[] = {"a", "b"};
  expect("strings in CDF", {SV_ETYPE, {"'temp'", "'flags'", "netcdf4"}},
         [&] { return sv_put_att_string(file, temp, "flags", 2, values); });
  SV_MUST(sv_abort(file));
  SV_MUST(sv_close(from));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const bool is_zarr = argc > 1;
  sv_context *io = start(MPI_COMM_WORLD, {is_zarr ? argv[1] : "store=netcdf4"});
  const std::string path = is_zarr ? "strings.zarr" : "strings.nc";
  write(io, path, is_zarr);
  refuse_in_cdf(path, io);
  SV_MUST(sv_finalize(io));
  MPI_Finalize();
  return 0;
}
