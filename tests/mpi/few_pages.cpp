// The first small puts and gets of a context touch few pages of a large window, within a node and between nodes: each
// rank would map all of it otherwise.
// run: ranks=4 limit=60 sanitize=no
// run: ranks=4 limit=60 sanitize=no name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=4 limit=60 sanitize=no name=alone env=SV_TESTING_RANKS_PER_NODE=1
#include <sys/resource.h>

#include <vector>

#include "support/check.hpp"
#include "support/test_file.hpp"

namespace {

using namespace svtest;

constexpr const char *path = "few_pages.nc";
constexpr int64_t cells = 1000;  // of a rank

long faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

struct Fields {
  sv_file *file = nullptr;
  sv_decomp *decomp = nullptr;
  int whole = -1, part = -1;
};

Fields define(sv_context *io) {
  const int64_t shape = cells * size_of(MPI_COMM_WORLD), first = cells * rank_in(MPI_COMM_WORLD);
  Fields fields;
  SV_MUST(sv_def_decomp(io, 1, &shape, &first, &cells, nullptr, &fields.decomp));
  fields.file = make_file(io, path, 0, {{"x", shape}},
                          {{"whole", SV_DOUBLE, {"x"}, &fields.whole}, {"part", SV_DOUBLE, {"x"}, &fields.part}});
  return fields;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=256MiB"});
  const Fields out = define(io);
  const int64_t first = cells * rank_in(MPI_COMM_WORLD);
  std::vector<double> values(cells), back(cells);
  for (int64_t i = 0; i < cells; ++i) values[static_cast<size_t>(i)] = static_cast<double>(first + i);

  const long before = faults();
  SV_MUST(sv_put(out.file, out.whole, out.decomp, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
  SV_MUST(sv_put_vara(out.file, out.part, &first, &cells, SV_DOUBLE, values.data(), nullptr));
  SV_MUST(sv_close(out.file));
  Fields in{.decomp = out.decomp};
  in.file = open_file(io, path);
  SV_MUST(sv_get(in.file, out.whole, in.decomp, SV_NO_RECORD, SV_DOUBLE, back.data(), nullptr));
  require(back == values, "other values than put");
  SV_MUST(sv_get_vara(in.file, out.part, &first, &cells, SV_DOUBLE, back.data(), nullptr));
  require(back == values, "other values than put, of the sub-array");
  SV_MUST(sv_close(in.file));
  // The window alone has 65,536 pages.
  constexpr long bound = 4000;
  const long touched = faults() - before;
  require(touched < bound, std::to_string(touched) + " pages were touched for " + std::to_string(cells) + " cells");
  if (rank_in(MPI_COMM_WORLD) == 0) std::printf("%ld pages were touched\n", touched);
  SV_MUST(sv_free_decomp(out.decomp));
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
