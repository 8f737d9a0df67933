// Points: random cells of random grids on random ranks, by random plans, give the file that one rank writes from whole
// arrays, and are read back by other ranks. COUNT sets how many, SEED where they begin.
// run: ranks=1 limit=60
// run: ranks=3 limit=90
// run: ranks=6 limit=120
// run: ranks=6 limit=120 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=6 limit=120 name=behind behind env=SV_TESTING_RANKS_PER_NODE=2
#include "support/point_case.hpp"

namespace {

using namespace svtest;

void try_case(uint64_t seed) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const PointCase made = make_point_case(seed, ranks, {});
  if (std::getenv("VERBOSE") != nullptr && rank == 0) std::printf("%s\n", made.description.c_str());
  sv_context *io = start(MPI_COMM_WORLD, made.options);
  write_points(io, made, rank, "points.nc");
  read_points(io, made, rank, "points.nc");
  SV_MUST(sv_finalize(io));
  io = start(MPI_COMM_WORLD, {"route=serial"});
  write_point_grids(io, made, rank, "whole.nc");
  SV_MUST(sv_finalize(io));
  at_root([&] {
    require(bytes_of_file("points.nc") == bytes_of_file("whole.nc"), made.description + ": the bytes differ");
  });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 12);
  for (int64_t i = 0; i < count; ++i) try_case(static_cast<uint64_t>(first + i));
  return MPI_Finalize();
}
