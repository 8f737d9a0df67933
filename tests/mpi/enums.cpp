// Names of integers, in netCDF-4 files, Zarr groups and CDF files: defined, inquired, kept by sv_redef, compared
// between ranks, and read by netCDF-C. A variable of a user's type is left out, and asking for it returns the reason.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=2 limit=60 name=zarr args=store=zarr
// run: ranks=2 limit=60 name=cdf args=store=cdf
// run: ranks=2 limit=60 name=untrusted args=reading.untrusted=true
#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

const char *const names[] = {"clear sky", "stratus", "Missing"};
const int64_t values[] = {0, 7, -127};

int define(sv_file *file, int var) { return sv_def_var_enum(file, var, "cloud_type", 3, names, values); }

/// `has_type`: the format has enumerations.
void check(sv_file *file, bool has_type) {
  const int cloud = var_id(file, "cloud");
  char name[SV_MAX_NAME] = "?";
  int type = 0, members = -1;
  SV_MUST(sv_inq_var(file, cloud, nullptr, &type, nullptr, nullptr, nullptr));
  SV_MUST(sv_inq_var_enum(file, cloud, name, &members));
  require(type == SV_BYTE && members == 3 && name == std::string(has_type ? "cloud_type" : ""), "the enumeration");
  for (int m = 0; m < 3; ++m) {
    int64_t value = -1;
    SV_MUST(sv_inq_var_enum_member(file, cloud, m, name, &value));
    const std::string wanted = m == 0 && !has_type ? "clear_sky" : names[m];
    require(name == wanted && value == values[m], "member " + std::to_string(m) + " is " + name);
  }
  expect("a fourth name", {SV_ENOTFOUND, {"'cloud'", "3"}},
         [&] { return sv_inq_var_enum_member(file, cloud, 3, name, nullptr); });
  SV_MUST(sv_inq_var_enum(file, var_id(file, "plain"), name, &members));
  require(members == 0 && name[0] == '\0', "a variable without names");
  signed char found[4] = {};
  SV_MUST(sv_get_var(file, cloud, SV_NO_RECORD, SV_BYTE, found, nullptr));
  require(found[0] == 0 && found[1] == 7 && found[2] == -127 && found[3] == 7, "the integers");
}

void refuse(sv_file *file, int cloud, int plain, int real) {
  const char *const twice[] = {"a", "a"};
  const int64_t numbers[] = {1, 2}, large[] = {1, 200};
  const char *const two[] = {"a", "b"};
  expect("names of reals", {SV_ETYPE, {"'real'", "double"}},
         [&] { return sv_def_var_enum(file, real, "t", 2, two, numbers); });
  expect("a name twice", {SV_EDEFINE, {"'plain'", "'a'"}},
         [&] { return sv_def_var_enum(file, plain, "t", 2, twice, numbers); });
  expect("a value beyond the type", {SV_ERANGE, {"'plain'", "200"}},
         [&] { return sv_def_var_enum(file, plain, "t", 2, two, large); });
  expect("no names", {SV_EDEFINE, {"'plain'"}}, [&] { return sv_def_var_enum(file, plain, "t", 0, two, numbers); });
  SV_MUST(define(file, cloud));
  expect("other names of one type", {SV_EDEFINE, {"'plain'", "'cloud_type'", "'cloud'"}},
         [&] { return sv_def_var_enum(file, plain, "cloud_type", 2, two, numbers); });
}

void write(sv_context *io, const std::string &path, int rank) {
  sv_file *file = nullptr;
  int x = -1, cloud = -1, plain = -1, real = -1;
  SV_MUST(sv_create(io, path.c_str(), SV_CLOBBER, &file));
  SV_MUST(sv_def_dim(file, "x", 4, &x));
  SV_MUST(sv_def_var(file, "cloud", SV_BYTE, 1, &x, &cloud));
  SV_MUST(sv_def_var(file, "plain", SV_BYTE, 1, &x, &plain));
  SV_MUST(sv_def_var(file, "real", SV_DOUBLE, 1, &x, &real));
  refuse(file, cloud, plain, real);
  SV_MUST(sv_enddef(file));
  const int64_t start[] = {0}, count[] = {rank == 0 ? 4 : 0};
  const signed char mine[] = {0, 7, -127, 7};
  SV_MUST(sv_put_vara(file, cloud, start, count, SV_BYTE, mine, nullptr));
  SV_MUST(sv_close(file));
}

/// The second change makes a new file.
void change(sv_context *io, const std::string &path) {
  sv_file *const file = open_file(io, path, SV_WRITE);
  SV_MUST(sv_redef(file));
  expect("names of an old variable", {SV_EORDER, {"'cloud'"}}, [&] { return define(file, var_id(file, "cloud")); });
  SV_MUST(sv_put_att_text(file, var_id(file, "cloud"), "long_name", "clouds"));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_redef(file));
  SV_MUST(sv_rename_var(file, var_id(file, "real"), "reel"));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
}

void check_by_netcdf(const std::string &path) {
  int id = -1, var = -1, kind = 0;
  nc_type type = NC_NAT, base = NC_NAT;
  char name[NC_MAX_NAME + 1] = "";
  size_t bytes = 0, members = 0;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  nc(nc_inq_varid(id, "cloud", &var), "cloud");
  nc(nc_inq_vartype(id, var, &type), "cloud");
  nc(nc_inq_user_type(id, type, name, &bytes, &base, &members, &kind), "cloud");
  require(kind == NC_ENUM && base == NC_BYTE && members == 3 && name == std::string("cloud_type"), "netCDF-C's type");
  signed char value = 7;
  nc(nc_inq_enum_ident(id, type, value, name), "7");
  require(name == std::string("stratus"), "netCDF-C's name of 7");
  nc(nc_close(id), path);
}

/// One variable has names on one rank alone.
void differ(sv_context *io, int rank, int ranks) {
  if (ranks == 1) return;
  sv_file *file = nullptr;
  int var = -1;
  SV_MUST(sv_create(io, "enums_differ.nc", SV_CLOBBER, &file));
  SV_MUST(sv_def_var(file, "cloud", SV_BYTE, 0, nullptr, &var));
  if (rank == 0) SV_MUST(define(file, var));
  expect("names on one rank", {SV_EDEFINE, {"'cloud'"}}, [&] { return sv_enddef(file); });
  SV_MUST(sv_abort(file));
}

/// A file of netCDF-C with a variable that is left out.
void leave_out(sv_context *io) {
  const std::string path = "enums_structures.nc";
  at_root([&] {
    int id = -1, var = -1;
    nc_type type = NC_NAT;
    nc(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id), path);
    nc(nc_def_compound(id, 8, "pair", &type), "pair");
    nc(nc_insert_compound(id, type, "a", 0, NC_INT), "a");
    nc(nc_insert_compound(id, type, "b", 4, NC_INT), "b");
    nc(nc_def_var(id, "pairs", type, 0, nullptr, &var), "pairs");
    nc(nc_def_var(id, "good", NC_INT, 0, nullptr, &var), "good");
    const int both[] = {1, 2};
    nc(nc_put_att(id, var, "two", type, 1, both), "two");
    nc(nc_close(id), path);
  });
  sv_file *const file = open_file(io, path);
  int var = -1;
  SV_MUST(sv_inq_varid(file, "good", &var));
  expect("a variable of structures", {SV_ENOTFOUND, {"'pairs'", "structures of the type 'pair'", "netCDF-C"}},
         [&] { return sv_inq_varid(file, "pairs", &var); });
  expect("an attribute of structures", {SV_ENOTFOUND, {"'two'", "structures of the type 'pair'"}},
         [&] { return sv_inq_att(file, var, "two", nullptr, nullptr); });
  expect("no variable", {SV_ENOTFOUND, {"'none'", "there is no"}}, [&] { return sv_inq_varid(file, "none", &var); });
  SV_MUST(sv_close(file));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string setting = argc > 1 ? argv[1] : "store=netcdf4";
  const bool has_type = setting != "store=zarr" && setting != "store=cdf";
  sv_context *io =
      start(MPI_COMM_WORLD, {has_type ? "store=netcdf4" : setting, has_type ? setting : "transport.window=1MiB"});
  const std::string path = setting == "store=zarr" ? "enums.zarr" : "enums.nc";
  write(io, path, rank);
  sv_file *file = open_file(io, path);
  check(file, has_type);
  SV_MUST(sv_close(file));
  change(io, path);
  if (has_type) at_root([&] { check_by_netcdf(path); });
  file = open_file(io, path);
  check(file, has_type);
  SV_MUST(sv_close(file));
  differ(io, rank, ranks);
  if (has_type) leave_out(io);
  SV_MUST(sv_finalize(io));
  MPI_Finalize();
  return 0;
}
