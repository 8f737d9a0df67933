// Groups of netCDF-4 files and Zarr groups: made, inquired, written by all ranks, read by netCDF-C and by Sverdrup.
// Those of a file of netCDF-C; names and dimensions that are refused; and CDF files, which have none.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=3 limit=60 name=growing args=kind=growing compression=deflate:1
// run: ranks=2 limit=60 name=library args=store=netcdf4_library
// run: ranks=2 limit=60 name=zarr args=store=zarr
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t nx = 11, nz = 3;

int value_of(int64_t record, int64_t z, int64_t x) { return static_cast<int>(1000 * record + 100 * z + x); }

int group_id(sv_file *file, const char *name) {
  int group = -1;
  SV_MUST(sv_inq_grpid(file, 0, name, &group));
  return group;
}

/// Rows of `ocean/deep/temp` on its dimension z and the outer ones x and time.
void put_record(sv_file *file, int64_t record) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const int64_t first = cut(nx, ranks, rank), cells = cut(nx, ranks, rank + 1) - first;
  std::vector<int> values;
  for (int64_t z = 0; z < nz; ++z)
    for (int64_t x = first; x < first + cells; ++x) values.push_back(value_of(record, z, x));
  const int64_t start[] = {record, 0, first}, count[] = {1, nz, cells};
  SV_MUST(sv_put_vara(file, var_id(file, "ocean/deep/temp"), start, count, SV_INT, values.data(), nullptr));
}

void check(sv_file *file, int64_t records) {
  int count = 0, groups[2] = {-1, -1}, parent = -1, vars[2] = {-1, -1}, dims[3] = {-1, -1, -1}, z = -1, natts = 0;
  char name[SV_MAX_NAME] = "";
  SV_MUST(sv_inq_grps(file, 0, &count, groups));
  require(count == 1, "the outermost group has " + std::to_string(count) + " groups");
  const int deep = group_id(file, "ocean/deep");
  SV_MUST(sv_inq_grpname(file, deep, name));
  require(std::string(name) == "deep", "the own name");
  SV_MUST(sv_inq_grpname_full(file, deep, name));
  require(std::string(name) == "ocean/deep", "the whole name");
  SV_MUST(sv_inq_grp_parent(file, deep, &parent));
  require(parent == group_id(file, "ocean"), "the outer group");
  SV_MUST(sv_inq_grp_varids(file, deep, &count, vars));
  require(count == 1 && vars[0] == var_id(file, "ocean/deep/temp"), "variables of a group");
  SV_MUST(sv_inq_grp_dimids(file, deep, &count, &z));
  require(count == 1, "dimensions of a group");
  SV_MUST(sv_inq_var(file, vars[0], name, nullptr, nullptr, dims, nullptr));
  require(std::string(name) == "ocean/deep/temp" && dims[1] == z, "the variable of a group");
  int found = -1;
  SV_MUST(sv_inq_dimid(file, "ocean/deep/x", &found));
  require(found == dims[2], "an outer dimension is not seen");
  SV_MUST(sv_inq_grp_natts(file, deep, &natts));
  int64_t length = 0;
  SV_MUST(sv_inq_att(file, SV_GROUP(deep), "title", nullptr, &length));
  require(natts == 1 && length == 4, "attributes of a group");
  std::vector<int> values(static_cast<size_t>(nz * nx));
  for (int64_t record = 0; record < records; ++record) {
    SV_MUST(sv_get_var(file, vars[0], record, SV_INT, values.data(), nullptr));
    for (int64_t cell = 0; cell < nz * nx; ++cell)
      require(values[static_cast<size_t>(cell)] == value_of(record, cell / nx, cell % nx), "temp has other values");
  }
  int depth = 0;
  SV_MUST(sv_get_var(file, var_id(file, "ocean/depth"), SV_NO_RECORD, SV_INT, &depth, nullptr));
  require(depth == 40, "a scalar of a group");
}

void check_by_netcdf(const std::string &path) {
  int id = -1, ocean = -1, deep = -1, var = -1;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  nc(nc_inq_grp_ncid(id, "ocean", &ocean), "ocean");
  nc(nc_inq_grp_full_ncid(id, "/ocean/deep", &deep), "deep");
  nc(nc_inq_varid(deep, "temp", &var), "temp");
  std::vector<int> values(static_cast<size_t>(2 * nz * nx));
  nc(nc_get_var_int(deep, var, values.data()), "temp");
  for (int64_t cell = 0; cell < 2 * nz * nx; ++cell)
    require(values[static_cast<size_t>(cell)] == value_of(cell / (nz * nx), cell / nx % nz, cell % nx), "netCDF-C");
  char title[16] = "";
  nc(nc_get_att_text(deep, NC_GLOBAL, "title", title), "title");
  require(std::strncmp(title, "deep", 4) == 0, "the title of a group");
  nc(nc_close(id), path);
}

/// In a netCDF-4 file of Sverdrup's own store, without a new file.
void add(sv_file *file, const std::string &path, bool is_in_place) {
  struct stat before {
  }, after{};
  int x = -1, ocean = -1, abyss = -1, deep = -1, layer = -1, var = -1;
  at_root([&] { require(stat(path.c_str(), &before) == 0, path); });
  SV_MUST(sv_redef(file));
  SV_MUST(sv_put_att_text(file, SV_GLOBAL, "history", "more"));
  SV_MUST(sv_inq_dimid(file, "x", &x));
  SV_MUST(sv_inq_grpid(file, 0, "ocean", &ocean));
  SV_MUST(sv_inq_grpid(file, ocean, "deep", &deep));
  SV_MUST(sv_put_att_text(file, SV_GROUP(ocean), "note", "salty"));
  SV_MUST(sv_def_var(file, "ocean/salt", SV_INT, 1, &x, &var));
  SV_MUST(sv_def_grp(file, deep, "abyss", &abyss));
  SV_MUST(sv_put_att_text(file, SV_GROUP(abyss), "title", "abyss"));
  SV_MUST(sv_def_dim(file, "ocean/deep/abyss/layer", 3, &layer));
  const int dims[] = {layer, x};
  SV_MUST(sv_def_var(file, "ocean/deep/abyss/layer", SV_INT, 1, &layer, &var));
  SV_MUST(sv_def_var(file, "ocean/deep/abyss/age", SV_INT, 2, dims, &var));
  SV_MUST(sv_enddef(file));
  const int layers[] = {1, 2, 3};
  SV_MUST(sv_put_var(file, var_id(file, "ocean/deep/abyss/layer"), SV_NO_RECORD, SV_INT, layers, nullptr));
  at_root([&] {
    require(stat(path.c_str(), &after) == 0, path);
    require(!is_in_place || before.st_ino == after.st_ino, path + ": a new file was made");
  });
}

void check_added_by_netcdf(const std::string &path) {
  int id = -1, ocean = -1, abyss = -1, var = -1, dims[2] = {}, layer = -1, x = -1, values[3] = {};
  char title[16] = "";
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  nc(nc_inq_grp_ncid(id, "ocean", &ocean), "ocean");
  nc(nc_get_att_text(ocean, NC_GLOBAL, "note", title), "note");
  require(std::strncmp(title, "salty", 5) == 0, "an added attribute of a group");
  nc(nc_inq_grp_full_ncid(id, "/ocean/deep/abyss", &abyss), "abyss");
  nc(nc_get_att_text(abyss, NC_GLOBAL, "title", title), "title");
  require(std::strncmp(title, "abyss", 5) == 0, "the title of an added group");
  nc(nc_inq_dimid(abyss, "layer", &layer), "layer");
  nc(nc_inq_dimid(id, "x", &x), "x");
  nc(nc_inq_varid(abyss, "age", &var), "age");
  nc(nc_inq_vardimid(abyss, var, dims), "age");
  require(dims[0] == layer && dims[1] == x, "the dimensions of an added variable");
  nc(nc_inq_varid(abyss, "layer", &var), "layer");
  nc(nc_get_var_int(abyss, var, values), "layer");
  require(values[0] == 1 && values[2] == 3, "an added coordinate");
  nc(nc_close(id), path);
}

void write(sv_context *io, const std::string &path, bool is_zarr, bool is_in_place) {
  int ocean = -1, deep = -1, time = -1, x = -1, z = -1, temp = -1, depth = -1, other = -1;
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, path.c_str(), SV_CLOBBER, &file));
  SV_MUST(sv_def_dim(file, "time", SV_UNLIMITED, &time));
  SV_MUST(sv_def_dim(file, "x", nx, &x));
  SV_MUST(sv_def_grp(file, 0, "ocean", &ocean));
  SV_MUST(sv_def_grp(file, ocean, "deep", &deep));
  SV_MUST(sv_def_dim(file, "ocean/deep/z", nz, &z));
  const int dims[] = {time, z, x};
  SV_MUST(sv_def_var(file, "ocean/deep/temp", SV_INT, 3, dims, &temp));
  SV_MUST(sv_def_var(file, "ocean/depth", SV_INT, 0, nullptr, &depth));
  SV_MUST(sv_put_att_text(file, SV_GROUP(deep), "title", "deep"));
  SV_MUST(sv_put_att_text(file, temp, "units", "K"));
  expect("a group twice", {SV_EEXISTS, {"'ocean'"}}, [&] { return sv_def_grp(file, 0, "ocean", &other); });
  expect("a group of the name of a variable", {SV_EEXISTS, {"'ocean/depth'"}},
         [&] { return sv_def_grp(file, ocean, "depth", &other); });
  expect("no such group", {SV_EDEFINE, {"'land/soil'", "sv_def_grp"}},
         [&] { return sv_def_var(file, "land/soil", SV_INT, 0, nullptr, &other); });
  expect("an inner dimension", {SV_EDEFINE, {"'ocean/deep/z'"}},
         [&] { return sv_def_var(file, "shallow", SV_INT, 1, &z, &other); });
  SV_MUST(sv_enddef(file));
  const int value = 40;
  SV_MUST(sv_put_var(file, depth, SV_NO_RECORD, SV_INT, &value, nullptr));
  put_record(file, 0);
  SV_MUST(sv_end_step(io));
  SV_MUST(sv_close(file));
  file = open_file(io, path, SV_WRITE);
  check(file, 1);
  put_record(file, 1);
  SV_MUST(sv_end_step(io));
  add(file, path, is_in_place);
  SV_MUST(sv_close(file));
  file = open_file(io, path);
  check(file, 2);
  std::vector<int> salt(nx);
  SV_MUST(sv_get_var(file, var_id(file, "ocean/salt"), SV_NO_RECORD, SV_INT, salt.data(), nullptr));
  require(std::ranges::count(salt, NC_FILL_INT) == nx, "an added variable is not filled");
  SV_MUST(sv_close(file));
  if (is_zarr) return;
  at_root([&] {
    check_by_netcdf(path);
    check_added_by_netcdf(path);
  });
}

/// Two groups with dimensions of the same name and other lengths, and a record dimension of their own.
void read_foreign(sv_context *io) {
  constexpr const char *path = "foreign_groups.nc";
  at_root([&] {
    int id = -1, groups[2], x = -1, t = -1, var = -1;
    nc(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &id), path);
    for (int g = 0; g < 2; ++g) {
      nc(nc_def_grp(id, g == 0 ? "north" : "south", &groups[g]), "group");
      nc(nc_def_dim(groups[g], "t", NC_UNLIMITED, &t), "t");
      nc(nc_def_dim(groups[g], "x", static_cast<size_t>(4 + g), &x), "x");
      const int dims[] = {t, x};
      nc(nc_def_var(groups[g], "v", NC_INT, 2, dims, &var), "v");
      const size_t start[] = {1, 0}, count[] = {1, static_cast<size_t>(4 + g)};
      const int values[] = {1, 2, 3, 4, 5};
      nc(nc_put_vara_int(groups[g], var, start, count, values), "v");
    }
    nc(nc_close(id), path);
  });
  sv_file *const file = open_file(io, path);
  for (const auto &[name, cells] : {std::pair("north/v", 4), std::pair("south/v", 5)}) {
    std::vector<int> values(static_cast<size_t>(2 * cells), -1);
    const int64_t start[] = {0, 0}, count[] = {2, cells};
    SV_MUST(sv_get_vara(file, var_id(file, name), start, count, SV_INT, values.data(), nullptr));
    for (int i = 0; i < cells; ++i)
      require(values[static_cast<size_t>(i)] == NC_FILL_INT && values[static_cast<size_t>(cells + i)] == i + 1, name);
  }
  SV_MUST(sv_close(file));
}

void refuse_in_cdf() {
  sv_context *io = start(MPI_COMM_WORLD, {"store=cdf"});
  sv_file *file = nullptr;
  int group = -1, var = -1;
  SV_MUST(sv_create(io, "groups_cdf.nc", SV_CLOBBER, &file));
  expect("a group of a CDF file", {SV_EDEFINE, {"'ocean'", "netcdf4"}},
         [&] { return sv_def_grp(file, 0, "ocean", &group); });
  expect("a name with a slash", {SV_EDEFINE, {"'ocean/temp'"}},
         [&] { return sv_def_var(file, "ocean/temp", SV_INT, 0, nullptr, &var); });
  SV_MUST(sv_abort(file));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<std::string> options(argv + 1, argv + argc);
  const bool is_zarr = std::ranges::count(options, "store=zarr") > 0;
  if (std::ranges::none_of(options, [](const std::string &each) { return each.starts_with("store="); }))
    options.push_back("store=netcdf4");
  sv_context *io = start(MPI_COMM_WORLD, options);
  write(io, is_zarr ? "groups.zarr" : "groups.nc", is_zarr, std::ranges::count(options, "store=netcdf4") > 0);
  if (!is_zarr) read_foreign(io);
  SV_MUST(sv_finalize(io));
  refuse_in_cdf();
  MPI_Finalize();
  return 0;
}
