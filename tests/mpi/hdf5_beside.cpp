// The program uses netCDF-C, and with it HDF5, which is not made for threads, between its calls of Sverdrup, while
// threads compress and write netCDF-4 behind them: neither disturbs the other, the files are right, and it was threads
// that wrote.
// run: ranks=1 limit=60 behind env=SV_COMPRESSION_THREADS=2
// run: ranks=3 limit=60 behind
#include <fstream>
#include <sstream>

#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t steps = 40;

/// The program's own file: made, closed, and read.
void use_netcdf(int rank, int64_t step) {
  const std::string path = "own" + std::to_string(rank) + ".nc";
  int id = -1, dim = -1, variable = -1;
  nc(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id), path);
  nc(nc_def_dim(id, "x", 50, &dim), path);
  for (int v = 0; v < 4; ++v) {
    nc(nc_def_var(id, ("v" + std::to_string(v)).c_str(), NC_DOUBLE, 1, &dim, &variable), path);
    nc(nc_def_var_deflate(id, variable, 1, 1, 1), path);
  }
  const std::vector<double> values(50, static_cast<double>(step));
  nc(nc_put_var_double(id, variable, values.data()), path);
  nc(nc_close(id), path);
  require(NetcdfFile(path).values("v3", {50}, -1) == values, "the program's own file is wrong");
}

struct Kind {
  std::string path;
  int flags;
  std::vector<std::string> options;
};

void write_beside(const Kind &kind) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const Numbers shape{60, 70};
  Grid grid{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {}};
  const std::vector<Spec> specs{
      {"fixed", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid},
      {"warm", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid},
      {"cold", SV_DOUBLE, SV_DOUBLE, {3, 60, 70}, {"z", "y", "x"}, true, How::field, &grid, 1}};
  std::vector<std::string> options{"store=netcdf4"};
  options.insert(options.end(), kind.options.begin(), kind.options.end());
  sv_context *const io = start(MPI_COMM_WORLD, options);
  Output out = create_output(io, rank, kind.path, specs, kind.flags);
  put(out, specs[0], SV_NO_RECORD);
  for (int64_t step = 0; step < steps; ++step) {
    put(out, specs[1], step);
    put(out, specs[2], step);
    SV_MUST(sv_end_step(io));
    use_netcdf(rank, step);
  }
  SV_MUST(sv_close(out.file));
  use_netcdf(rank, steps);
  SV_MUST(sv_flush(io, SV_WRITTEN));
  if (rank == 0) NetcdfFile(kind.path).check_all(specs, steps);
  SV_MUST(sv_write_summary(io, "summary.json"));
  std::stringstream summary;
  summary << std::ifstream("summary.json").rdbuf();
  require(rank != 0 || summary.str().find("\"threads\": 1") != std::string::npos, "no thread wrote: " + summary.str());
  for (const auto &[of, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (has_store("netcdf4")) {
    write_beside({"growing.nc", SV_GROWING, {"compression=deflate:1"}});
    write_beside({"published.nc", SV_PUBLISHED, {"compression=deflate:1", "chunks=1,30,70"}});
    write_beside({"plain.nc", SV_GROWING, {}});
    write_beside({"opened.nc", SV_PUBLISHED, {"compression=deflate:1", "durability=on_disk"}});
  }
  MPI_Finalize();
  return 0;
}
