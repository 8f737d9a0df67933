// An example to copy: how an MPI test is written here. It declares its runs below, each of which is one test. CTest
// starts exactly that many ranks, in a folder of the run's own (build/tests/work/mpi.example.3), and ends them after
// `limit` seconds; cmake/SvTests.cmake lists what else a line can say. Most defects need odd numbers of ranks, a rank
// without cells, or several nodes, which one machine can imitate. To run it: scripts/test build 2 -R mpi.example
//
// run: ranks=3 limit=30
// run: ranks=1 limit=30
// run: ranks=3 limit=30 name=behind behind
// run: ranks=5 limit=30 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

/// By variables whose right values are known: write_file puts them by blocks, and NetcdfFile checks every cell.
void known_variables(sv_context *io) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const Numbers shape{7, 9};  // y, x
  const int parts = ranks > 1 ? ranks - 1 : 1;
  const std::vector<int> empty = ranks > 1 ? std::vector<int>{1} : std::vector<int>{};  // rank 1 owns no cells
  const Grid grid{shape, {}, blocks_2d(shape, 1, parts, ranks, empty), {1, 1, 0, 2}};   // with halos
  const std::vector<Spec> specs{{"depth", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid},
                                {"temp", SV_SHORT, SV_FLOAT, shape, {"y", "x"}, true, How::field, &grid}};
  write_file(io, MPI_COMM_WORLD, "known.nc", specs, 3);
  if (rank == 0) NetcdfFile("known.nc").check_all(specs, 3);
  MPI_Barrier(MPI_COMM_WORLD);  // no rank changes the file while rank 0 reads it
}

/// By fields of its own: each rank puts and checks its rows, whose values are functions of the cell's number.
void own_fields(sv_context *io) {
  const auto value = [](int64_t record) {
    return [record](int64_t cell) { return 100.0 * static_cast<double>(record) + static_cast<double>(cell); };
  };
  TestFile out(io, "fields.nc", 0, {{"time", SV_UNLIMITED}, {"y", 7}, {"x", 9}}, {{"v", SV_FLOAT, {"time", "y", "x"}}});
  for (int64_t record = 0; record < 2; ++record) {
    out.put(0, record, value(record));
    SV_MUST(sv_end_step(io));
  }
  out.close();
  TestFile in(io, open_file(io, "fields.nc"));
  for (int64_t record = 0; record < 2; ++record) in.check(0, record, value(record));
  in.close();
}

/// By calls of the interface: make_file makes the file, SV_MUST checks a status, `require` anything else, and `expect`
/// that all ranks fail with the same status and text, within seconds.
void own_calls(sv_context *io) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  int var = -1;
  sv_file *file = make_file(io, "own.nc", 0, {{"x", ranks}}, {{"v", SV_INT, {"x"}, &var}});
  const int64_t start = rank, count = 1;
  const int value = 10 * rank;
  SV_MUST(sv_put_vara(file, var, &start, &count, SV_INT, &value, nullptr));
  expect("a record of a fixed variable", {SV_EINVAL, {"'v'", "own.nc"}},
         [&] { return sv_put_var(file, var, 0, SV_INT, &value, nullptr); });
  SV_MUST(sv_close(file));
  file = open_file(io, "own.nc");
  int found = -1;
  SV_MUST(sv_get_vara(file, var_id(file, "v"), &start, &count, SV_INT, &found, nullptr));
  require(found == value, "rank " + std::to_string(rank) + " reads " + std::to_string(found));
  SV_MUST(sv_close(file));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  known_variables(io);
  own_fields(io);
  own_calls(io);
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
