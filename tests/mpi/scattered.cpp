// Short rows of large fields, which a ring takes part by part, and the thread that writes puts in order: with halos,
// holes, conversion, several levels, and parts that come from other nodes.
// run: ranks=1 limit=60 name=behind behind
// run: ranks=4 limit=60 name=behind behind
// run: ranks=7 limit=60 name=behind_nodes behind env=SV_TESTING_RANKS_PER_NODE=3
#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t records = 3;
const Numbers flat{300, 520}, deep{3, 300, 520};

/// A column for each rank; with a hole, one in the middle is left out.
void write_and_check(const std::string &path, bool hole) {
  const int ranks = size_of(MPI_COMM_WORLD), columns = ranks + (hole ? 1 : 0);
  Grid grid{flat, {}, blocks_2d(flat, columns, 1, columns, {}), {1, 2, 0, 1}};
  if (hole) grid.blocks.erase(grid.blocks.begin() + columns / 2);
  grid.holes = hole;
  const std::vector<Spec> specs{{"warm", SV_DOUBLE, SV_DOUBLE, deep, {"z", "y", "x"}, true, How::field, &grid, 1},
                                {"cold", SV_FLOAT, SV_DOUBLE, deep, {"z", "y", "x"}, true, How::field, &grid, 1},
                                {"depth", SV_DOUBLE, SV_DOUBLE, flat, {"y", "x"}, false, How::field, &grid}};
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=8MiB", "async.memory=16MiB"});
  write_file(io, MPI_COMM_WORLD, path, specs, records);
  SV_MUST(sv_finalize(io));
  at_root([&] { NetcdfFile(path).check_all(specs, records); });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  write_and_check("columns.nc", false);
  write_and_check("holes.nc", true);
  MPI_Finalize();
  return 0;
}
