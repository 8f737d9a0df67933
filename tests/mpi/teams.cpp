// Files that ever other ranks have open together, in one context: the communicators made for them do not accumulate,
// and a file that stays open keeps its own.
// run: ranks=7 limit=60 sanitize=no
#include <algorithm>
#include <set>

#include "support/check.hpp"
#include "support/test_file.hpp"

namespace {

std::set<MPI_Comm> parts;  // communicators of MPI_Comm_split that are not free yet
size_t most_parts = 0;

}  // namespace

// The library's calls come here, and go on to MPI.
extern "C" int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part) {
  const int status = PMPI_Comm_split(comm, color, key, part);
  parts.insert(*part);
  most_parts = std::max(most_parts, parts.size());
  return status;
}

extern "C" int MPI_Comm_free(MPI_Comm *comm) {
  parts.erase(*comm);
  return PMPI_Comm_free(comm);
}

namespace {

using namespace svtest;

constexpr int64_t cells_of_each = 5;

struct Output {
  sv_decomp *decomp = nullptr;
  sv_file *file = nullptr;
  int var = -1;
};

/// Every rank whose bit is set in `ranks` has cells, and no other.
Output begin(sv_context *io, unsigned ranks, const std::string &path) {
  const int rank = rank_in(MPI_COMM_WORLD);
  int64_t before = 0, all = 0;
  for (int other = 0; other < size_of(MPI_COMM_WORLD); ++other) {
    if ((ranks >> other & 1U) == 0) continue;
    if (other < rank) before += cells_of_each;
    all += cells_of_each;
  }
  const int64_t count = (ranks >> rank & 1U) != 0 ? cells_of_each : 0, first = count > 0 ? before : 0;
  Output made;
  SV_MUST(sv_def_decomp(io, 1, &all, &first, &count, nullptr, &made.decomp));
  made.file = make_file(io, path, 0, {{"x", all}}, {{"v", SV_INT, {"x"}, &made.var}});
  return made;
}

void put_and_close(const Output &output) {
  const std::vector<int32_t> values(cells_of_each, 1 + rank_in(MPI_COMM_WORLD));
  SV_MUST(sv_put(output.file, output.var, output.decomp, SV_NO_RECORD, SV_INT, values.data(), nullptr));
  SV_MUST(sv_close(output.file));
  SV_MUST(sv_free_decomp(output.decomp));
}

/// Whether the file holds the numbers of these ranks, each as often as it has cells.
void check_file(sv_context *io, unsigned ranks, const std::string &path) {
  std::vector<int32_t> expected;
  for (int rank = 0; rank < size_of(MPI_COMM_WORLD); ++rank)
    if ((ranks >> rank & 1U) != 0) expected.insert(expected.end(), cells_of_each, 1 + rank);
  std::vector<int32_t> found(expected.size());
  sv_file *file = open_file(io, path);
  SV_MUST(sv_get_var(file, 0, SV_NO_RECORD, SV_INT, found.data(), nullptr));
  SV_MUST(sv_close(file));
  require(found == expected, path + " does not hold what was put");
}

bool is_compiled() {
  sv_context *io = start(MPI_COMM_WORLD, {"store=pnetcdf", "transport.window=1MiB"});
  sv_file *file = nullptr;
  const int status = sv_create(io, "probe.nc", 0, &file);
  if (status == SV_OK) sv_close(file);
  sv_finalize(io);
  return status != SV_ECOMPILED;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (!is_compiled()) return MPI_Finalize();
  sv_context *io = start(MPI_COMM_WORLD, {"store=pnetcdf", "route=shared", "transport.window=1MiB"});
  const size_t at_first = most_parts = parts.size();
  constexpr unsigned all = 128, two = 3;  // sets of ranks
  const Output stays = begin(io, two, "stays.nc");
  for (unsigned ranks = 1; ranks < all; ranks += 2) {  // 32 teams, since those two belong to each, as does rank 0
    put_and_close(begin(io, ranks, "comes_and_goes.nc"));
    check_file(io, ranks, "comes_and_goes.nc");
  }
  put_and_close(stays);
  check_file(io, two, "stays.nc");
  require(most_parts - at_first <= 20,
          "there were " + std::to_string(most_parts - at_first) + " communicators of teams at a time");
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
