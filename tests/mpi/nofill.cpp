// Variables whose unwritten cells get no fill value: netCDF-C reads it of netCDF-4 files, and CDF files are not written
// there. Other variables of the file are filled.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=2 limit=60 name=cdf args=store=cdf
// run: ranks=2 limit=60 name=zarr args=store=zarr
#include "support/files.hpp"
#include "support/verdict.hpp"

using namespace svtest;

namespace {

constexpr int nx = 5;

void write(sv_context *io, const std::string &path, bool has_strings) {
  sv_file *file = nullptr;
  int x = -1, plain = -1, bare = -1, text = -1, on = -1;
  SV_MUST(sv_create(io, path.c_str(), SV_CLOBBER, &file));
  SV_MUST(sv_def_dim(file, "x", nx, &x));
  SV_MUST(sv_def_var(file, "plain", SV_INT, 1, &x, &plain));
  SV_MUST(sv_def_var(file, "bare", SV_INT, 1, &x, &bare));
  SV_MUST(sv_def_var_nofill(file, bare, 1));
  SV_MUST(sv_inq_var_nofill(file, bare, &on));
  require(on == 1, "sv_inq_var_nofill in define mode");
  if (has_strings) {
    SV_MUST(sv_def_var(file, "text", SV_STRING, 1, &x, &text));
    expect("strings without filling", {SV_ETYPE, {"'text'"}}, [&] { return sv_def_var_nofill(file, text, 1); });
  }
  SV_MUST(sv_enddef(file));
  expect("after sv_enddef", {SV_EORDER, {}}, [&] { return sv_def_var_nofill(file, bare, 0); });
  SV_MUST(sv_close(file));
}

void check(sv_context *io, const std::string &path, bool is_stored, bool is_filled) {
  sv_file *const file = open_file(io, path);
  int on = -1, values[nx] = {};
  SV_MUST(sv_inq_var_nofill(file, var_id(file, "bare"), &on));
  require((on == 1) == is_stored, "sv_inq_var_nofill of a file");
  SV_MUST(sv_inq_var_nofill(file, var_id(file, "plain"), &on));
  require(on == 0, "sv_inq_var_nofill of another variable");
  SV_MUST(sv_get_var(file, var_id(file, "plain"), SV_NO_RECORD, SV_INT, values, nullptr));
  for (const int value : values) require(value == NC_FILL_INT, "a filled variable");
  SV_MUST(sv_get_var(file, var_id(file, "bare"), SV_NO_RECORD, SV_INT, values, nullptr));
  for (const int value : values) require((value == NC_FILL_INT) == is_filled, "a variable that is not filled");
  SV_MUST(sv_close(file));
}

void check_by_netcdf(const std::string &path) {
  int id = -1, var = -1;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  for (const auto &[name, right] : {std::pair("plain", 0), std::pair("bare", 1)}) {
    int no_fill = -1;
    nc(nc_inq_varid(id, name, &var), name);
    nc(nc_inq_var_fill(id, var, &no_fill, nullptr), name);
    require(no_fill == right, std::string("netCDF-C's fill mode of ") + name);
  }
  nc(nc_close(id), path);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const std::string store = argc > 1 ? argv[1] : "store=netcdf4";
  const bool is_netcdf4 = store == "store=netcdf4", is_zarr = store == "store=zarr";
  const std::string path = is_zarr ? "nofill.zarr" : "nofill.nc";
  sv_context *io = start(MPI_COMM_WORLD, {store});
  write(io, path, store != "store=cdf");
  check(io, path, is_netcdf4, is_zarr);
  if (is_netcdf4) at_root([&] { check_by_netcdf(path); });
  SV_MUST(sv_finalize(io));
  MPI_Finalize();
  return 0;
}
