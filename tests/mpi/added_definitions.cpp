// Definitions that are added to netCDF-4 files and Zarr groups, of this run and of an earlier one: variables with and
// without records, dimensions, coordinates of new and of old dimensions, attributes. Nothing moves, old records of new
// variables have fill values, and parts of them can be put later. Read by netCDF-C and by Sverdrup.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=3 limit=60 name=deflate args=compression=deflate:1
// run: ranks=3 limit=60 name=behind behind
// run: ranks=2 limit=60 name=records args=chunks.records=4
// run: ranks=1 limit=60 name=zarr args=store=zarr
// run: ranks=3 limit=60 name=zarr_deflate args=store=zarr compression=deflate:1
#include <sys/stat.h>

#include <filesystem>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

const Numbers shape{9, 14};

struct Scene {
  std::vector<std::string> options;
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid grid{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {}};
  Spec ice{"ice", SV_SHORT, SV_FLOAT, shape, {"y", "x"}, true, How::field, &grid};
  Spec depth{"depth", SV_FLOAT, SV_FLOAT, shape, {"y", "x"}, false, How::field, &grid};
  Spec speed{"speed", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid};
  Spec mask{"mask", SV_BYTE, SV_INT, shape, {"y", "x"}, false, How::field, &grid};
  sv_context *io = nullptr;
  bool is_zarr = false;
};

ino_t inode_of(const std::string &path) {
  struct stat status {};
  require(stat(path.c_str(), &status) == 0, "no " + path);
  return status.st_ino;
}

void add_field(Output &out, const Spec &spec) {
  int dims[3] = {-1, -1, -1}, *first = dims + 1;
  SV_MUST(sv_inq_dimid(out.file, "time", &dims[0]));
  SV_MUST(sv_inq_dimid(out.file, "y", &dims[1]));
  SV_MUST(sv_inq_dimid(out.file, "x", &dims[2]));
  if (spec.records) --first;
  SV_MUST(sv_def_var(out.file, spec.name.c_str(), spec.type, spec.records ? 3 : 2, first, &out.ids[spec.name]));
  char fill[8];
  store(spec.type, fill, spec.fill);
  SV_MUST(sv_def_fill(out.file, out.ids[spec.name], fill));
}

/// A one-dimensional variable with the name of its dimension.
void add_coordinate(sv_file *file, const char *name, int dim) {
  int var = -1;
  SV_MUST(sv_def_var(file, name, SV_INT, 1, &dim, &var));
  SV_MUST(sv_put_att_text(file, var, "axis", name));
}

void put_coordinate(sv_file *file, const char *name) {
  const int var = var_id(file, name);
  int dim = -1;
  int64_t length = 0;
  SV_MUST(sv_inq_dimid(file, name, &dim));
  SV_MUST(sv_inq_dim(file, dim, nullptr, &length));
  std::vector<int> values(static_cast<size_t>(length));
  for (size_t i = 0; i < values.size(); ++i) values[i] = 10 * static_cast<int>(i) + name[0];
  SV_MUST(sv_put_var(file, var, SV_NO_RECORD, SV_INT, values.data(), nullptr));
}

void check_coordinate(sv_file *file, const char *name, int64_t length) {
  std::vector<int> values(static_cast<size_t>(length), -1);
  SV_MUST(sv_get_var(file, var_id(file, name), SV_NO_RECORD, SV_INT, values.data(), nullptr));
  for (size_t i = 0; i < values.size(); ++i)
    require(values[i] == 10 * static_cast<int>(i) + name[0], std::string(name) + " has other values");
}

void step(Output &out, const std::vector<Spec> &specs, int64_t record) {
  for (const Spec &spec : specs) put(out, spec, record);
  SV_MUST(sv_end_step(out.io));
  SV_MUST(sv_flush(out.io, SV_WRITTEN));
}

/// `speed`, without record 0, and with one cell of record 1.
void check_speed(sv_file *file, const Spec &speed) {
  std::vector<double> values(static_cast<size_t>(product(shape)));
  for (const int64_t record : {0, 1}) {
    SV_MUST(sv_get_var(file, var_id(file, "speed"), record, SV_DOUBLE, values.data(), nullptr));
    for (size_t i = 0; i < values.size(); ++i)
      require(values[i] == (record == 1 && i == 5 ? 77 : speed.fill), "an old record of a new variable is not filled");
  }
}

/// What netCDF-C says of the dimensions of variables, and of attributes.
void check_by_netcdf(const Scene &s, const std::string &path) {
  const NetcdfFile netcdf(path);
  netcdf.check_all({s.ice, s.depth, s.mask}, 3);
  netcdf.check(s.speed, 2);
  int id = -1, variables = 0, dims = 0;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  nc(nc_inq_nvars(id, &variables), path);
  nc(nc_inq_ndims(id, &dims), path);
  require(variables == 7 && dims == 4, path + ": " + std::to_string(variables) + " variables");
  const std::pair<const char *, std::vector<std::string>> all[] = {
      {"ice", {"time", "y", "x"}}, {"speed", {"time", "y", "x"}}, {"mask", {"y", "x"}}, {"y", {"y"}}, {"z", {"z"}},
      {"profile", {"z", "y"}}};
  for (const auto &[name, names] : all) {
    int var = -1, number = 0, ids[NC_MAX_VAR_DIMS];
    nc(nc_inq_varid(id, name, &var), name);
    nc(nc_inq_var(id, var, nullptr, nullptr, &number, ids, nullptr), name);
    require(number == static_cast<int>(names.size()), std::string(name) + " has other dimensions");
    for (size_t d = 0; d < names.size(); ++d) {
      char found[NC_MAX_NAME + 1] = "";
      nc(nc_inq_dimname(id, ids[d], found), name);
      require(found == names[d], std::string(name) + " is on " + found + " instead of " + names[d]);
    }
  }
  int depth = -1, attribute = -1;
  nc(nc_inq_varid(id, "depth", &depth), "depth");
  require(nc_inq_attid(id, depth, "long_name", &attribute) == NC_ENOTATT, "a deleted attribute is there");
  nc(nc_inq_attid(id, depth, "units", &attribute), "units");
  nc(nc_inq_attid(id, NC_GLOBAL, "history", &attribute), "history");
  nc(nc_close(id), path);
}

void check(Scene &s, const std::string &path) {
  sv_file *const file = open_file(s.io, path);
  std::vector<double> got(static_cast<size_t>(product(shape)));
  for (int64_t record = 0; record < 3; ++record) {
    SV_MUST(sv_get_var(file, var_id(file, "ice"), record, SV_DOUBLE, got.data(), nullptr));
    require(got == expected(s.ice, record), "ice has other values");
  }
  SV_MUST(sv_get_var(file, var_id(file, "mask"), SV_NO_RECORD, SV_DOUBLE, got.data(), nullptr));
  require(got == expected(s.mask, -1), "mask has other values");
  check_speed(file, s.speed);
  check_coordinate(file, "y", shape[0]);
  check_coordinate(file, "z", 5);
  SV_MUST(sv_close(file));
  if (!s.is_zarr) at_root([&] { check_by_netcdf(s, path); });
}

/// One cell of an old record: other cells of its chunk have the fill value.
void put_cell(const Scene &s, sv_file *file) {
  const int64_t start[] = {1, 0, 5}, one[] = {1, 1, 1}, none[] = {0, 0, 0};
  const double value = 77;
  SV_MUST(sv_put_vara(file, var_id(file, "speed"), start, s.rank == 0 ? one : none, SV_DOUBLE, &value, nullptr));
}

void run(Scene &s, const std::string &path, int flags, bool is_reopened) {
  Output out = create_output(s.io, s.rank, path, {s.ice, s.depth}, flags);
  put(out, s.depth, SV_NO_RECORD);
  step(out, {s.ice}, 0);
  step(out, {s.ice}, 1);
  if (is_reopened) {
    SV_MUST(sv_close(out.file));
    SV_MUST(sv_flush(out.io, SV_WRITTEN));
    out.file = open_file(s.io, path, SV_WRITE);
  }
  const bool has_name = flags == SV_GROWING || is_reopened;
  const ino_t before = has_name ? inode_of(path) : 0;
  SV_MUST(sv_redef(out.file));
  int y = -1, z = -1, profile = -1;
  SV_MUST(sv_def_dim(out.file, "z", 5, &z));
  SV_MUST(sv_inq_dimid(out.file, "y", &y));
  add_field(out, s.speed);
  add_coordinate(out.file, "y", y);
  SV_MUST(sv_put_att_text(out.file, SV_GLOBAL, "history", "more is defined"));
  SV_MUST(sv_put_att_text(out.file, out.ids["depth"], "units", "m"));
  SV_MUST(sv_del_att(out.file, out.ids["depth"], "long_name"));
  SV_MUST(sv_enddef(out.file));
  put_coordinate(out.file, "y");
  SV_MUST(sv_redef(out.file));
  const int dims[] = {z, y};
  SV_MUST(sv_def_var(out.file, "profile", SV_FLOAT, 2, dims, &profile));
  add_coordinate(out.file, "z", z);
  add_field(out, s.mask);
  SV_MUST(sv_enddef(out.file));
  put_coordinate(out.file, "z");
  put(out, s.mask, SV_NO_RECORD);
  put_cell(s, out.file);
  step(out, {s.ice, s.speed}, 2);
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_flush(out.io, SV_WRITTEN));
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
  if (has_name) at_root([&] { require(inode_of(path) == before, path + ": a new file was made"); });
  check(s, path);
}

/// A renamed variable moves to a new file of netCDF-4 or Zarr.
void rename(Scene &s, const std::string &path) {
  sv_file *file = open_file(s.io, path, SV_WRITE);
  SV_MUST(sv_redef(file));
  SV_MUST(sv_rename_var(file, var_id(file, "profile"), "profiles"));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  SV_MUST(sv_flush(s.io, SV_WRITTEN));
  file = open_file(s.io, path);
  std::vector<double> got(static_cast<size_t>(product(shape)));
  SV_MUST(sv_get_var(file, var_id(file, "ice"), 2, SV_DOUBLE, got.data(), nullptr));
  require(got == expected(s.ice, 2), "ice has other values in the new file");
  var_id(file, "profiles");
  SV_MUST(sv_close(file));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Scene s;
  s.options = {"transport.window=1MiB", "file_system.stripe=4096"};
  if (argc == 1) s.options.push_back("store=netcdf4");
  bool has_store = false;
  for (int a = 1; a < argc; ++a) {
    s.options.push_back(argv[a]);
    has_store = has_store || std::string(argv[a]).starts_with("store=");
    s.is_zarr = s.is_zarr || std::string(argv[a]) == "store=zarr";
  }
  if (!has_store && argc > 1) s.options.push_back("store=netcdf4");
  s.io = start(MPI_COMM_WORLD, s.options);
  const std::string ending = s.is_zarr ? ".zarr" : ".nc";
  run(s, "growing" + ending, SV_GROWING, false);
  run(s, "published" + ending, SV_PUBLISHED, false);
  run(s, "reopened" + ending, SV_PUBLISHED, true);
  run(s, "appended" + ending, SV_GROWING, true);
  rename(s, "appended" + ending);
  SV_MUST(sv_finalize(s.io));
  MPI_Finalize();
  return 0;
}
