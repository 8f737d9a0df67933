// A number of writers that is more than there are: an error of writing without servers, where the number is exact; with
// servers it is an upper bound, and a remark.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
#include <fstream>
#include <iterator>

#include "support/model_ranks.hpp"
#include "support/test_file.hpp"

namespace {

using namespace svtest;

constexpr int64_t cells = 12;

/// Returns what sv_enddef does.
int define(sv_context *io, const char *path, sv_file **file) {
  *file = begin_file(io, path, 0, {{"x", cells}}, {{"v", SV_INT, {"x"}}});
  return sv_enddef(*file);
}

void without_servers(int ranks) {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "writers=99"});
  sv_file *file = nullptr;
  const int status = define(io, "exact.nc", &file);
  const std::string nearest = "writers = " + std::to_string(ranks);
  require(status == SV_EINVAL && std::string(sv_message()).find(nearest) != std::string::npos,
          "99 writers: " + std::string(sv_message()));
  sv_close(file);
  SV_MUST(sv_finalize(io));
}

void with_servers() {
  sv_context *io =
      start(MPI_COMM_WORLD, {"transport.window=1MiB", "async.memory=4MiB", "async=servers:1", "writers=99"});
  if (model_ranks(io) != MPI_COMM_NULL) {
    for (const char *path : {"bound.nc", "again.nc"}) {
      sv_file *file = nullptr;
      ok(define(io, path, &file), "sv_enddef");
      const std::vector<int32_t> values(cells, 7);
      SV_MUST(sv_put_var(file, 0, SV_NO_RECORD, SV_INT, values.data(), nullptr));
      SV_MUST(sv_close(file));
    }
    SV_MUST(sv_flush(io, SV_WRITTEN));
    SV_MUST(sv_write_summary(io, "summary.json"));
    std::ifstream in("summary.json");
    const std::string summary(std::istreambuf_iterator<char>(in), {});
    require(summary.find("writers = 99 is more than the servers of a file, which are 1") != std::string::npos,
            "the summary does not tell: " + summary);
  }
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int ranks = size_of(MPI_COMM_WORLD);
  without_servers(ranks);
  if (ranks > 1) with_servers();
  return MPI_Finalize();
}
