// Settings of writing that these ranks cannot fulfil never forbid reading.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
#include "support/files.hpp"
#include "support/readers.hpp"

int main(int argc, char **argv) {
  using namespace svtest;
  MPI_Init(&argc, &argv);
  const int ranks = size_of(MPI_COMM_WORLD);
  const Numbers shape{12, 9};
  const Grid grid{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {}};
  const std::vector<Spec> specs{{"a", SV_FLOAT, SV_FLOAT, shape, {"y", "x"}, true, How::field, &grid}};
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  write_file(io, MPI_COMM_WORLD, "few.nc", specs, 3);
  SV_MUST(sv_finalize(io));
  for (const char *writers : {"writers=5", "writers=3 per node", "writers=self", "writers=1"})
    for (const char *reading : {"reading=auto", "reading=writers", "reading=self"})
      for (const char *route : {"route=auto", "route=ranges", "route=serial", "route=shared", "route=domains"}) {
        io = start(MPI_COMM_WORLD, {"transport.window=1MiB", writers, reading, route, "io_layout=7,3"});
        check_file(io, "few.nc", specs, 3);
        SV_MUST(sv_finalize(io));
      }
  return MPI_Finalize();
}
