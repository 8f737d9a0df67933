#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <sverdrup/sverdrup.hpp>
#include <vector>

int main(int argc, char **argv) try {
  constexpr int64_t ny = 36, nx = 72;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto [js, nj] = sverdrup::block(ny, ranks, rank);  // this rank computes the rows js ... js + nj - 1
  std::vector<float> t((nj + 2) * nx);                     // and has a halo of one row on either side

  sverdrup::Context io(MPI_COMM_WORLD);
  const sverdrup::Decomposition grid = io.def_decomp({ny, nx}, {js, 0}, {nj, nx}, {1, 1, 0, 0});
  sverdrup::File file = io.create("ocean20.nc");
  const auto lon = file.def_dim("lon", nx), lat = file.def_dim("lat", ny), time = file.def_dim("time", SV_UNLIMITED);
  const sverdrup::Variable sst = file.def_var<float>("sst", {time, lat, lon});
  sst.put_att("units", "degC");
  file.enddef();
  for (int n = 0; n < 3; ++n) {
    for (int64_t j = 0; j < nj; ++j)
      for (int64_t i = 0; i < nx; ++i)  // an ocean, of sorts
        t[(j + 1) * nx + i] = 28.5F - static_cast<float>(std::abs(2 * (js + j) - ny + 1) - n - 1);
    sst.put(grid, t, n);
    io.end_step();  // commits the record
  }
  file.close();
  io.finalize();
  return MPI_Finalize();
} catch (const sverdrup::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
