// Decompositions that are made and freed again, thousands of them, leave nothing behind.
// run: ranks=3 limit=60 sanitize=no
#include <malloc.h>

#include "support/check.hpp"

namespace {

using namespace svtest;

void make_and_free(sv_context *io, int times) {
  const int64_t shape = 4 * size_of(MPI_COMM_WORLD), first = 4 * rank_in(MPI_COMM_WORLD), count = 4;
  for (int i = 0; i < times; ++i) {
    sv_decomp *decomp = nullptr;
    SV_MUST(sv_def_decomp(io, 1, &shape, &first, &count, nullptr, nullptr, 0, &decomp));
    SV_MUST(sv_free_decomp(decomp));
  }
}

size_t bytes_in_use() { return mallinfo2().uordblks; }

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  constexpr int times = 2000;
  constexpr size_t bound = 100000;  // fifty bytes for each
  sv_context *io = start(MPI_COMM_WORLD, {"window=1MiB"});
  make_and_free(io, 200);
  const size_t before = bytes_in_use();
  make_and_free(io, times);
  const size_t after = bytes_in_use();
  require(after < before + bound, std::to_string(after - before) + " bytes more for " + std::to_string(times) +
                                      " decompositions that are gone");
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
