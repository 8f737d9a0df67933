// The process whose thread writes behind the calls is stopped for a while: for less than `watchdog`, the others wait
// where memory is full, and go on; for longer, they get the number of the missing rank. Nothing hangs, and counted
// records are right.
// run: ranks=4 limit=60 name=behind sanitize=no behind
// run: ranks=4 limit=60 name=behind_nodes behind env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=4 limit=60 name=behind_netcdf4 behind env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>

#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t steps = 8;
const Numbers shape{150, 500};  // of 600 kB, through a ring of 1 MiB

struct Scene {
  Grid grid{shape, {}, blocks_2d(shape, 2, 2, 4, {}), {1, 1, 0, 0}};
  std::vector<Spec> specs{{"warm", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid}};
};

void nap(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

/// A process on the first rank's host: stops that rank, and continues it.
class Stopper {
 public:
  explicit Stopper(int milliseconds) {
    if (rank_in(MPI_COMM_WORLD) != 0) return;
    const int first = getpid();
    child_ = fork();
    require(child_ >= 0, "fork");
    if (child_ > 0) return;
    nap(20);
    kill(first, SIGSTOP);
    nap(milliseconds);
    kill(first, SIGCONT);
    _exit(0);
  }
  Stopper(const Stopper &) = delete;
  ~Stopper() {
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_ = 0;
};

Output created(const Scene &scene, sv_context *io, const char *path) {
  Output out{io, rank_in(MPI_COMM_WORLD)};
  SV_MUST(sv_create(io, path, SV_GROWING, &out.file));
  define(out, scene.specs);
  out.decomp(&scene.grid);
  SV_MUST(sv_enddef(out.file));
  return out;
}

int put_step(const Scene &scene, Output &out, int64_t record) {
  const Spec &spec = scene.specs[0];
  const Array array = block_array(spec, out.rank, record);
  const int status = sv_put(out.file, out.ids.at(spec.name), out.decomp(&scene.grid), record, SV_DOUBLE,
                            array.bytes.data(), array.strides());
  return status == SV_OK ? sv_end_step(out.io) : status;
}

void goes_on_after_a_while() {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "async.memory=1MiB", "watchdog=20"});
  const Scene scene;
  Output out = created(scene, io, "slow.nc");
  for (int64_t step = 0; step < steps; ++step) {
    const Stopper stopper(200);
    SV_MUST(put_step(scene, out, step));
  }
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_finalize(io));
  at_root([&] { NetcdfFile("slow.nc").check_all(scene.specs, steps); });
}

void is_told_by_the_watchdog() {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "async.memory=1MiB", "watchdog=1"});
  const Scene scene;
  Output out = created(scene, io, "stopped.nc");
  SV_MUST(put_step(scene, out, 0));
  SV_MUST(sv_flush(io, SV_WRITTEN));
  auto stopper = std::make_unique<Stopper>(4000);
  int status = SV_OK;
  for (int64_t step = 1; step < 100 && status == SV_OK; ++step) {
    nap(20);
    status = put_step(scene, out, step);
  }
  const std::string text = sv_message();
  require(status == SV_ETIMEOUT, std::string("a rank that is stopped: ") + sv_strerror(status) + ", " + text);
  require(put_step(scene, out, 100) == SV_ETIMEOUT, "a call after the watchdog has given up");
  stopper.reset();
  require(sv_finalize(io) == SV_ETIMEOUT, "sv_finalize after the watchdog has given up");
  at_root([&] {
    const NetcdfFile file("stopped.nc");
    require(file.records() >= 1, "the first step does not count");
    for (int64_t record = 0; record < file.records(); ++record) file.check(scene.specs[0], record);
  });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  goes_on_after_a_while();
  is_told_by_the_watchdog();
  MPI_Finalize();
  return 0;
}
