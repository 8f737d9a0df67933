// A group of very many files is put on a slow disk, which takes longer than `watchdog`: no rank counts as stuck,
// whether a rank, a thread or a server does it.
// run: ranks=3 limit=120 processors=1 sanitize=no
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "support/files.hpp"

/// In place of the system's, also for the library and its stores: a disk that takes 100 ms for each file.
extern "C" __attribute__((visibility("default"))) int fsync(int file) {
  usleep(100000);
  return static_cast<int>(syscall(SYS_fsync, file));
}

namespace {

using namespace svtest;

constexpr int64_t rows = 8, columns = 30;

void write(const std::string &servers) {
  sv_context *io = start(MPI_COMM_WORLD, {"store=zarr", "chunks=1,1", "watchdog=2s", "transport.window=1MiB",
                                          "async.memory=1MiB", servers});
  int computes = 0;
  SV_MUST(sv_is_model(io, &computes));
  if (computes != 0) {
    const auto number = [](int64_t cell) { return static_cast<int>(cell); };
    TestFile out(io, "slow_disk.zarr", 0, {{"y", rows}, {"x", columns}}, {{"v", SV_INT, {"y", "x"}}});
    out.put(0, SV_NO_RECORD, number);
    SV_MUST(sv_end_step(io));
    out.close();
    SV_MUST(sv_flush(io, SV_ON_DISK));
    TestFile in(io, open_file(io, "slow_disk.zarr"));
    in.check(0, SV_NO_RECORD, number);
    in.close();
  }
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  int given = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  if (has_store("zarr"))
    for (const char *servers : {"async=none", "async=threads", "async=servers:1"}) write(servers);
  return MPI_Finalize();
}
