// A copy whose source cannot be read fails on every rank, also where threads write the copy behind the calls: the
// error of a rank that has not handed anything over must not wait, or be lost.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=1 limit=60 name=behind behind
// run: ranks=3 limit=60 name=behind behind
// run: ranks=5 limit=60 name=behind_nodes behind env=SV_TESTING_RANKS_PER_NODE=2
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "support/files.hpp"

namespace {

std::atomic<bool> unreadable{false};

}  // namespace

/// With this the library reads files.
extern "C" ssize_t pread(int file, void *data, size_t bytes, off_t offset) {
  if (!unreadable) return syscall(SYS_pread64, file, data, bytes, offset);
  errno = EIO;
  return -1;
}

namespace {

using namespace svtest;

constexpr int64_t cells = 5000;

sv_file *new_file(sv_context *io, const std::string &path) {
  return make_file(io, path, SV_GROWING, {{"time", 0}, {"x", cells}}, {{"v", SV_DOUBLE, {"time", "x"}}});
}

void run() {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  const std::vector<double> values(cells, 7);
  sv_file *source = new_file(io, "source.nc");
  SV_MUST(sv_put_var(source, 0, 0, SV_DOUBLE, values.data(), nullptr));
  SV_MUST(sv_end_step(io));
  SV_MUST(sv_close(source));
  SV_MUST(sv_flush(io, SV_WRITTEN));

  source = open_file(io, "source.nc");
  sv_file *copy = new_file(io, "copy.nc");
  unreadable = true;
  const int status = sv_copy_var(source, var_id(source, "v"), 0, copy, 0, 0);
  unreadable = false;
  require(status == SV_EIO, "a copy of what cannot be read: " + std::to_string(status));
  require(std::string(sv_message()).find("source.nc") != std::string::npos, sv_message());
  require(sv_end_step(io) != SV_OK, "the step ends without its record");
  require(sv_close(copy) != SV_OK, "the copy is closed as if it were whole");
  SV_MUST(sv_close(source));
  sv_finalize(io);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  run();
  return MPI_Finalize();
}
