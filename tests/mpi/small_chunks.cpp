// Small variables of netCDF-4 that are put by themselves, contiguous and compressed, more of them than may wait for
// their places. One rank writes each while the others wait; some ranks have the file open, some may not. A put that one
// rank refuses, a variable that is read or put again while the file grows come between them.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
// run: ranks=5 limit=90
// run: ranks=5 limit=90 name=compressed args=compression=deflate:1
// run: ranks=5 limit=90 name=few sanitize=no args=compression=deflate:1 writers=2
// run: ranks=5 limit=90 name=growing sanitize=no args=compression=deflate:1 kind=growing
// run: ranks=5 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2 args=compression=deflate:1
// run: ranks=3 limit=90 name=own_files args=compression=deflate:1 layout=per_variable:small.%v.nc
// run: ranks=3 limit=60 name=zarr args=store=zarr
#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t ny = 120, nx = 100;  // 96 kB
constexpr int fields = 200;
constexpr int again = 7;  // each so many is read, and put again

double value_of(int variable, int64_t cell, int turn) {
  return 1e5 * variable + static_cast<double>(cell) + (turn > 0 ? 0.5 : 0);
}

void put(TestFile &file, int variable, int turn) {
  file.put(variable, SV_NO_RECORD, [&](int64_t cell) { return value_of(variable, cell, turn); });
}

void check(TestFile &file, int variable, int turn) {
  file.check(variable, SV_NO_RECORD, [&](int64_t cell) { return value_of(variable, cell, turn); });
}

/// All ranks get the error, and the file goes on.
void put_nothing(TestFile &file, int variable) {
  const std::vector<double> values(ny * nx, -1);
  const void *const given = rank_in(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1 ? nullptr : values.data();
  require(sv_put(file, variable, file.decomp(variable), SV_NO_RECORD, SV_DOUBLE, given, nullptr) == SV_EINVAL,
          "a rank without values was not reported to all");
}

TestFile created(sv_context *io, const std::string &path) {
  std::vector<Var> variables;
  for (int v = 0; v < fields; ++v) variables.push_back({"small" + std::to_string(v), SV_DOUBLE, {"y", "x"}});
  return {io, path, 0, {{"y", ny}, {"x", nx}}, variables};
}

void check_by_netcdf(const std::string &path) {
  const NetcdfFile file(path);
  for (int v = 0; v < fields; ++v) {
    const std::vector<double> found = file.values("small" + std::to_string(v), {ny, nx}, -1);
    for (int64_t cell = 0; cell < ny * nx; ++cell)
      if (found[static_cast<size_t>(cell)] != value_of(v, cell, v % again == 0 ? 1 : 0))
        give_up("netCDF-C reads variable " + std::to_string(v) + " wrongly");
  }
}

}  // namespace

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::vector<std::string> options{"store=netcdf4"};
  options.insert(options.end(), argv + 1, argv + argc);
  const bool has_one_file = std::none_of(options.begin(), options.end(), [](const std::string &each) {
    return each.starts_with("layout=") || each == "store=zarr";
  });
  const std::string path = "small.nc";
  sv_context *io = start(MPI_COMM_WORLD, options);
  TestFile file = created(io, path);
  for (int v = 0; v < fields; ++v) {
    if (v % 50 == 1) put_nothing(file, v);
    put(file, v, 0);
    if (v % again != 0) continue;
    check(file, v, 0);
    put(file, v, 1);
  }
  file.close();
  MPI_Barrier(MPI_COMM_WORLD);
  if (has_one_file) check_by_netcdf(path);
  TestFile opened(io, open_file(io, path));
  for (int v = 0; v < fields; ++v) check(opened, v, v % again == 0 ? 1 : 0);
  opened.close();
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
