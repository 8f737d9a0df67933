// Decompositions and files that come and go thousands of times in one context leave next to nothing behind; the
// summary still counts all files.
// run: ranks=3 limit=120 sanitize=no
#include <malloc.h>

#include <fstream>
#include <iterator>

#include "support/check.hpp"
#include "support/test_file.hpp"

namespace {

using namespace svtest;

constexpr const char *path = "again_and_again.nc";

int64_t cells() { return 4 * size_of(MPI_COMM_WORLD); }

sv_decomp *made(sv_context *io) {
  const int64_t shape = cells(), first = 4 * rank_in(MPI_COMM_WORLD), count = 4;
  sv_decomp *decomp = nullptr;
  SV_MUST(sv_def_decomp(io, 1, &shape, &first, &count, nullptr, &decomp));
  return decomp;
}

void make_and_free(sv_context *io) { SV_MUST(sv_free_decomp(made(io))); }

sv_file *written = nullptr;  // one variable of all cells

void begin_written(sv_context *io) {
  written = make_file(io, "decompositions.nc", 0, {{"x", cells()}}, {{"v", SV_INT, {"x"}}});
}

void put_and_free(sv_context *io) {
  const int32_t values[] = {1, 2, 3, 4};
  sv_decomp *const decomp = made(io);
  SV_MUST(sv_put(written, 0, decomp, SV_NO_RECORD, SV_INT, values, nullptr));
  SV_MUST(sv_free_decomp(decomp));
}

void write_and_close(sv_context *io) {
  int var = -1;
  sv_file *file = make_file(io, path, 0, {{"x", 4}}, {{"v", SV_INT, {"x"}, &var}});
  const int32_t values[] = {1, 2, 3, 4};
  SV_MUST(sv_put_var(file, var, SV_NO_RECORD, SV_INT, values, nullptr));
  SV_MUST(sv_close(file));
}

void open_and_close(sv_context *io) {
  sv_file *file = open_file(io, path);
  SV_MUST(sv_close(file));
}

size_t bytes_in_use() {
  const auto heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

void check(sv_context *io, const std::string &what, int times, void (*once)(sv_context *)) {
  constexpr size_t bound = 100000;
  const size_t before = bytes_in_use();
  for (int i = 0; i < times; ++i) once(io);
  const size_t after = bytes_in_use();
  require(after < before + bound,
          std::to_string(after - before) + " bytes more for " + std::to_string(times) + " " + what + " that are gone");
}

std::string summary_of(sv_context *io) {
  SV_MUST(sv_write_summary(io, "summary.json"));
  std::ifstream in("summary.json");
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  for (int i = 0; i < 200; ++i) make_and_free(io);
  check(io, "decompositions", 2000, make_and_free);

  begin_written(io);
  for (int i = 0; i < 200; ++i) put_and_free(io);
  check(io, "decompositions, each for a put", 2000, put_and_free);
  SV_MUST(sv_close(written));

  // The first thousand are listed one by one.
  write_and_close(io);
  for (int i = 0; i < 1099; ++i) open_and_close(io);
  check(io, "files that were read", 10000, open_and_close);
  check(io, "files that were written", 200, write_and_close);
  const std::string summary = summary_of(io);
  require(summary.find("\"other_files\": {\"files\": 10301, \"incomplete\": 0, \"bytes\": ") != std::string::npos,
          "the summary does not add up 10,301 of 11,301 files");
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
