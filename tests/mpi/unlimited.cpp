// Files with several unlimited dimensions, at any place of a variable: read as netCDF-C has written them, and written,
// when puts make dimensions longer that are no record dimension. Formats of the classic model refuse them.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
// run: ranks=5 limit=60 args=compression=deflate:1
// run: ranks=5 limit=60 name=growing args=kind=growing
// run: ranks=3 limit=60 name=zarr args=store=zarr
// run: ranks=3 limit=60 name=zarr_growing args=store=zarr kind=growing
#include <algorithm>

#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t ny = 7;

int32_t value_of(int64_t y, int64_t obs) { return static_cast<int32_t>(1000 * y + obs); }

std::vector<int32_t> read(sv_file *file, const char *name, const Numbers &start, const Numbers &count) {
  int64_t cells = 1;
  for (const int64_t each : count) cells *= each;
  std::vector<int32_t> values(static_cast<size_t>(cells), -7);
  SV_MUST(sv_get_vara(file, var_id(file, name), start.data(), count.data(), SV_INT, values.data(), nullptr));
  return values;
}

int dim_id(sv_file *file, const char *name) {
  int dim = -1;
  SV_MUST(sv_inq_dimid(file, name, &dim));
  return dim;
}

int64_t length_of(sv_file *file, const char *name) {
  int64_t length = -1;
  SV_MUST(sv_inq_dim(file, dim_id(file, name), nullptr, &length));
  return length;
}

/// Rows y of `v(y, obs)` and records of `w(time, obs)`, from `first` to `last`, which is behind the end.
void put(sv_file *file, int64_t first, int64_t last, int64_t record) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const int64_t begin = cut(ny, ranks, rank), rows = cut(ny, ranks, rank + 1) - begin, cells = last - first;
  std::vector<int32_t> values;
  for (int64_t y = begin; y < begin + rows; ++y)
    for (int64_t obs = first; obs < last; ++obs) values.push_back(value_of(y, obs));
  const int64_t start[] = {begin, first}, count[] = {rows, cells};
  SV_MUST(sv_put_vara(file, var_id(file, "v"), start, count, SV_INT, values.data(), nullptr));
  const int64_t mine = cut(cells, ranks, rank), next = cut(cells, ranks, rank + 1);
  std::vector<int32_t> along;
  for (int64_t obs = first + mine; obs < first + next; ++obs) along.push_back(value_of(record, obs));
  const int64_t from[] = {record, first + mine}, some[] = {1, next - mine};
  SV_MUST(sv_put_vara(file, var_id(file, "w"), from, some, SV_INT, along.data(), nullptr));
}

/// `v` has all cells before `last`; record 0 of `w` those before 3, record 1 those from 3 to 100, record 2 the others.
void check(sv_file *file, int64_t last) {
  int unlimited = 0, dims[2] = {-1, -1};
  SV_MUST(sv_inq_unlimdims(file, &unlimited, nullptr));
  require(unlimited == 2, std::to_string(unlimited) + " dimensions are unlimited");
  SV_MUST(sv_inq_unlimdims(file, nullptr, dims));
  require(dims[0] < dims[1] && std::min(dim_id(file, "time"), dim_id(file, "obs")) == dims[0] &&
              std::max(dim_id(file, "time"), dim_id(file, "obs")) == dims[1],
          "other dimensions are unlimited");
  require(length_of(file, "obs") == last, "a dimension has the length " + std::to_string(length_of(file, "obs")));
  const std::vector<int32_t> v = read(file, "v", {0, 0}, {ny, last});
  for (int64_t cell = 0; cell < ny * last; ++cell)
    require(v[static_cast<size_t>(cell)] == value_of(cell / last, cell % last), "v is read wrongly");
  constexpr int64_t ends[] = {0, 3, 100, 150};
  for (int64_t record = 0; ends[record] < last; ++record) {
    const std::vector<int32_t> w = read(file, "w", {record, 0}, {1, last});
    for (int64_t obs = 0; obs < last; ++obs) {
      const bool is_put = obs >= ends[record] && obs < ends[record + 1];
      require(w[static_cast<size_t>(obs)] == (is_put ? value_of(record, obs) : NC_FILL_INT), "w is read wrongly");
    }
  }
}

void check_by_netcdf(const std::string &path, int64_t last) {
  int id = -1, var = -1, unlimited = 0, dim = -1;
  size_t length = 0;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  nc(nc_inq_unlimdims(id, &unlimited, nullptr), "unlimited dimensions");
  nc(nc_inq_dimid(id, "obs", &dim), "obs");
  nc(nc_inq_dimlen(id, dim, &length), "the length of obs");
  require(unlimited == 2 && static_cast<int64_t>(length) == last, "netCDF-C finds other dimensions");
  std::vector<int32_t> values(static_cast<size_t>(ny * last));
  nc(nc_inq_varid(id, "v", &var), "v");
  nc(nc_get_var_int(id, var, values.data()), "v");
  for (int64_t cell = 0; cell < ny * last; ++cell)
    require(values[static_cast<size_t>(cell)] == value_of(cell / last, cell % last), "netCDF-C reads v wrongly");
  nc(nc_close(id), path);
}

void write_and_read(sv_context *io, const std::string &path) {
  int time = -1, record_dim = -1;
  sv_file *file = make_file(io, path, SV_CLOBBER, {{"obs", SV_UNLIMITED}, {"time", SV_UNLIMITED, &time}, {"y", ny}},
                            {{"v", SV_INT, {"y", "obs"}}, {"w", SV_INT, {"time", "obs"}}});
  SV_MUST(sv_inq(file, nullptr, nullptr, nullptr, &record_dim));
  require(record_dim == time, "another dimension counts records");
  put(file, 0, 3, 0);
  SV_MUST(sv_end_step(io));
  put(file, 3, 100, 1);
  SV_MUST(sv_end_step(io));
  check(file, 100);
  SV_MUST(sv_close(file));
  file = open_file(io, path, SV_WRITE);
  check(file, 100);
  put(file, 100, 150, 2);
  SV_MUST(sv_end_step(io));
  SV_MUST(sv_close(file));
  file = open_file(io, path);
  check(file, 150);
  SV_MUST(sv_close(file));
}

/// A variable that is shorter than its dimension reads as fill values beyond its end.
void read_foreign(sv_context *io) {
  constexpr const char *path = "foreign.nc";
  if (rank_in(MPI_COMM_WORLD) == 0) {
    int id = -1, t = -1, x = -1, empty = -1, late = -1, both = -1, none = -1;
    nc(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &id), path);
    nc(nc_def_dim(id, "t", NC_UNLIMITED, &t), "t");
    nc(nc_def_dim(id, "x", NC_UNLIMITED, &x), "x");
    nc(nc_def_dim(id, "empty", NC_UNLIMITED, &empty), "empty");
    const int swapped[] = {x, t}, leading[] = {x, x}, nothing[] = {x, empty};
    nc(nc_def_var(id, "late", NC_INT, 2, swapped, &late), "late");
    nc(nc_def_var(id, "both", NC_INT, 2, leading, &both), "both");
    nc(nc_def_var(id, "none", NC_INT, 2, nothing, &none), "none");
    const size_t origin[] = {0, 0}, part[] = {2, 3}, whole[] = {4, 4};
    std::vector<int> values(16);
    for (int i = 0; i < 16; ++i) values[static_cast<size_t>(i)] = i;
    nc(nc_put_vara_int(id, late, origin, part, values.data()), "late");
    nc(nc_put_vara_int(id, both, origin, whole, values.data()), "both");
    nc(nc_close(id), path);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  sv_file *file = open_file(io, path);
  require(length_of(file, "t") == 3 && length_of(file, "x") == 4 && length_of(file, "empty") == 0, "lengths");
  const std::vector<int32_t> late = read(file, "late", {0, 0}, {4, 3}), both = read(file, "both", {0, 0}, {4, 4});
  for (int i = 0; i < 12; ++i)
    require(late[static_cast<size_t>(i)] == (i < 6 ? i : NC_FILL_INT), "late is read wrongly");
  for (int i = 0; i < 16; ++i) require(both[static_cast<size_t>(i)] == i, "both is read wrongly");
  require(read(file, "none", {0, 0}, {4, 0}).empty(), "a variable without cells");
  SV_MUST(sv_close(file));
}

void refuse_in_cdf(MPI_Comm comm) {
  sv_context *io = start(comm, {"store=cdf"});
  sv_file *file = nullptr;
  int dim = -1, y = -1, id = -1;
  SV_MUST(sv_create(io, "classic.nc", SV_CLOBBER, &file));
  SV_MUST(sv_def_dim(file, "time", SV_UNLIMITED, &dim));
  require(sv_def_dim(file, "obs", SV_UNLIMITED, &id) == SV_EDEFINE, "a second record dimension");
  SV_MUST(sv_def_dim(file, "y", ny, &y));
  const int dims[] = {y, dim};
  require(sv_def_var(file, "v", SV_INT, 2, dims, &id) == SV_EDEFINE, "a record dimension that is not the first");
  SV_MUST(sv_abort(file));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::vector<std::string> options{"store=netcdf4"};
  options.insert(options.end(), argv + 1, argv + argc);
  const bool is_folder = std::find(options.begin(), options.end(), "store=zarr") != options.end();
  sv_context *io = start(MPI_COMM_WORLD, options);
  write_and_read(io, "unlimited.nc");
  MPI_Barrier(MPI_COMM_WORLD);
  if (!is_folder) check_by_netcdf("unlimited.nc", 150);
  if (!is_folder) read_foreign(io);
  SV_MUST(sv_finalize(io));
  refuse_in_cdf(MPI_COMM_WORLD);
  return MPI_Finalize();
}
