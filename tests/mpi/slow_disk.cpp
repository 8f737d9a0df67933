// A group of very many files is put on a slow disk, which takes longer than `watchdog`: nobody is stuck, whether a
// rank, a thread or a server does it.
// run: ranks=3 limit=120 sanitize=no
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
  sv_context *io =
      start(MPI_COMM_WORLD, {"store=zarr", "chunks=1,1", "watchdog=2s", "window=1MiB", "server_memory=1MiB", servers});
  int computes = 0;
  SV_MUST(sv_is_model(io, &computes));
  if (computes != 0) {
    int variable = 0, rank = 0, ranks = 1;
    MPI_Comm comm = MPI_COMM_NULL;
    SV_MUST(sv_model_comm(io, &comm));
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    sv_file *file =
        make_file(io, "slow_disk.zarr", 0, {{"y", rows}, {"x", columns}}, {{"v", SV_INT, {"y", "x"}, &variable}});
    const int64_t begin = rows * rank / ranks, end = rows * (rank + 1) / ranks;
    const int64_t start[2] = {begin, 0}, count[2] = {end - begin, columns};
    std::vector<int> values(static_cast<size_t>(count[0] * count[1]));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(begin * columns) + static_cast<int>(i);
    SV_MUST(sv_put_vara(file, variable, start, count, SV_INT, values.data(), nullptr));
    SV_MUST(sv_end_step(io));
    SV_MUST(sv_close(file));
    SV_MUST(sv_flush(io, SV_ON_DISK));
    file = open_file(io, "slow_disk.zarr");
    int found = 0;
    const int64_t place[2] = {rows - 1, columns - 1}, one[2] = {1, 1};
    SV_MUST(sv_get_vara(file, variable, place, one, SV_INT, &found, nullptr));
    require(found == rows * columns - 1, "the last value is " + std::to_string(found));
    SV_MUST(sv_close(file));
  }
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  int given = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  if (has_store("zarr"))
    for (const char *servers : {"servers=0", "servers=threads", "servers=1"}) write(servers);
  return MPI_Finalize();
}
