// Where threads write behind the calls, sv_close does not wait: the file is renamed when all its data are
// written, behind the calls, and not before. The next collective call returns an error of this, the same on all
// ranks. Calls that create or open a file of that name, flush or finalize, wait.
// run: ranks=1 limit=60 name=behind behind
// run: ranks=3 limit=60 name=behind behind
// run: ranks=5 limit=60 name=behind_nodes behind env=SV_TESTING_RANKS_PER_NODE=2;SV_FILE_SYSTEM_STRIPE=4KiB
// run: ranks=3 limit=60 name=behind_netcdf4 behind env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "support/files.hpp"
#include "support/readers.hpp"

namespace {

std::atomic<bool> held{false}, broken{false};

void nap(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

}  // namespace

/// With this the library gives files their names. While it is held, no file gets one; a call that waits for that waits
/// until the test has failed.
extern "C" int rename(const char *from, const char *to) noexcept {
  while (held) nap(1);
  if (!broken) return static_cast<int>(syscall(SYS_renameat2, -100, from, -100, to, 0));  // AT_FDCWD
  errno = EIO;
  return -1;
}

namespace {

using namespace svtest;

const Numbers shape{30, 40};

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid grid{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {}};
  std::vector<Spec> specs{{"warm", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid},
                          {"never", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, false, How::never, &grid}};
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});

  void write(const std::string &path, int kind) const {
    Output out = create_output(io, rank, path, specs, kind);
    put(out, specs[0], 0);
    SV_MUST(sv_end_step(io));
    close_output(out);
  }
  /// As every program finds it there.
  void check(const std::string &path) const {
    at_root([&] { NetcdfFile(path).check_all(specs, 1); });
  }
  void require_absent(const std::string &path) const {
    MPI_Barrier(MPI_COMM_WORLD);
    require(!std::filesystem::exists(path), path + " is there");
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

void hold(bool holds) {
  MPI_Barrier(MPI_COMM_WORLD);
  held = holds;
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Permits names after a while: a call that returns before that has not waited.
struct Release {
  std::thread thread{[] {
    nap(300);
    held = false;
  }};
  ~Release() { thread.join(); }
};

void more_than_are_kept(const Scene &s) {
  hold(true);
  for (const char *path : {"a.nc", "b.nc", "c.nc"}) s.write(path, SV_PUBLISHED);
  s.write("grows.nc", SV_GROWING);
  for (const char *path : {"a.nc", "b.nc", "c.nc", "grows.nc", "grows.nc.complete"}) s.require_absent(path);
  hold(false);
  SV_MUST(sv_flush(s.io, SV_WRITTEN));
  for (const char *path : {"a.nc", "b.nc", "c.nc", "grows.nc"}) s.check(path);
  require(std::filesystem::exists("grows.nc.complete"), "grows.nc.complete is missing");
  for (int n = 0; n < 40; ++n) s.write("many" + std::to_string(n) + ".nc", SV_PUBLISHED);
  SV_MUST(sv_flush(s.io, SV_ON_DISK));
  int64_t durable = 0;
  constexpr int64_t steps = 44;
  SV_MUST(sv_durable_step(s.io, &durable));
  require(durable == steps, std::to_string(durable) + " steps are on the disk");
  s.check("many39.nc");
}

/// A rank that writes nothing has the file open, too, once it has read its own part.
void read_before_closing(const std::string &durability) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "durability=" + durability});
  constexpr int64_t cells = 8;
  std::vector<int> whole(cells), part(cells);
  for (int n = 0; n < 4; ++n) {
    const std::string path = "read" + std::to_string(n) + ".nc";
    int var = -1;
    sv_file *file = make_file(io, path, n % 2 == 0 ? SV_GROWING : SV_PUBLISHED, {{"t", SV_UNLIMITED}, {"x", cells}},
                              {{"a", SV_INT, {"t", "x"}, &var}});
    for (int i = 0; i < cells; ++i) whole[static_cast<size_t>(i)] = 10 * n + i;
    SV_MUST(sv_put_var(file, var, 0, SV_INT, whole.data(), nullptr));
    SV_MUST(sv_end_step(io));
    int64_t start[] = {0, 0}, count[] = {1, 0};
    SV_MUST(sv_block(cells, ranks, rank, &start[1], &count[1]));
    SV_MUST(sv_get_vara(file, var, start, count, SV_INT, part.data(), nullptr));
    for (int64_t i = 0; i < count[1]; ++i)
      require(part[static_cast<size_t>(i)] == 10 * n + start[1] + i, path + ": what a rank reads");
    SV_MUST(sv_close(file));
  }
  SV_MUST(sv_flush(io, SV_ON_DISK));
  SV_MUST(sv_finalize(io));
}

/// Data that threads of several nodes hold until the step ends are written before the file is renamed.
void closed_within_step(const Scene &s) {
  const std::vector<Spec> specs{s.specs[0]};  // all are put: nothing is filled, before which they write what they keep
  constexpr int most = 15;                    // with more, sv_close waits
  int has_name = 0;
  for (int n = 0; n < most && has_name == 0; ++n) {
    Output out = create_output(s.io, s.rank, "within" + std::to_string(n) + ".nc", specs, SV_PUBLISHED);
    put(out, specs[0], 0);
    close_output(out);
    nap(20);
    has_name = std::filesystem::exists("within0.nc") ? 1 : 0;
    MPI_Bcast(&has_name, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (has_name != 0 && s.rank == 0) NetcdfFile("within0.nc").check_all(specs, 1);
  SV_MUST(sv_flush(s.io, SV_WRITTEN));
  at_root([&] { NetcdfFile("within0.nc").check_all(specs, 1); });
}

void names_wait(const Scene &s) {
  hold(true);
  s.write("again.nc", SV_PUBLISHED);
  {
    const Release release;
    sv_file *in = open_file(s.io, "./again.nc");
    require(s.rank != 0 || !held, "sv_open has not waited");
    const Input input{s.io, in, s.rank, "again.nc"};
    check_whole(input, s.specs[0], 0, s.specs[0]);
    SV_MUST(sv_close(in));
  }
  hold(true);
  s.write("again.nc", SV_PUBLISHED);
  {
    const Release release;
    sv_file *out = nullptr;
    const int status = sv_create(s.io, "again.nc", SV_NOCLOBBER, &out);
    require(status == SV_EEXISTS && (s.rank != 0 || !held), "sv_create has not waited");
  }
  s.check("again.nc");
}

void reported_once(const Scene &s) {
  hold(true);
  s.write("broken.nc", SV_PUBLISHED);
  broken = true;
  hold(false);
  const int status = sv_flush(s.io, SV_WRITTEN);
  const std::string text = sv_message();
  require(status == SV_EIO && text.find("broken.nc") != std::string::npos, "sv_flush: " + text);
  s.require_absent("broken.nc");
  s.require_absent("broken.nc.part");
  SV_MUST(sv_flush(s.io, SV_WRITTEN));
  s.write("lost.nc", SV_PUBLISHED);
  const int last = sv_finalize(s.io);
  require(last == SV_EIO && std::string(sv_message()).find("lost.nc") != std::string::npos,
          "sv_finalize reports nothing");
  s.require_absent("lost.nc");
  broken = false;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    const Scene s;
    if (s.rank == 0)
      for (const auto &entry : std::filesystem::directory_iterator("."))
        if (entry.path().filename().string().find(".nc") != std::string::npos) std::filesystem::remove(entry.path());
    MPI_Barrier(MPI_COMM_WORLD);
    more_than_are_kept(s);
    closed_within_step(s);
    names_wait(s);
    reported_once(s);
  }
  const char *const store = std::getenv("SV_STORE");
  for (const char *durability : {"on_disk", "ordered"})
    if (store == nullptr || std::string(durability) == "on_disk") read_before_closing(durability);
  MPI_Finalize();
  return 0;
}
