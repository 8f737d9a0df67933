// With `durability: ordered`, growing files of stores whose libraries count the records are refused, on every rank and
// with the way out: when they are made, when a series begins one, and when one is opened for appending. A refused call
// leaves nothing behind, and its context goes on: published files, and reading.
// run: ranks=3 limit=60
// run: ranks=1 limit=60
// run: ranks=4 limit=60 name=served args=async=servers:1
#include <filesystem>
#include <functional>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

struct Scene {
  std::string store, served;  // served: the option, or an empty one that is none
  const Numbers shape{12, 9};

  /// Runs `use` with a context, on the ranks that compute.
  void with(std::vector<std::string> options, const std::function<void(sv_context *, MPI_Comm)> &use) const {
    options.insert(options.end(), {"store=" + store, "transport.window=1MiB"});
    if (!served.empty()) options.push_back(served);
    sv_context *io = start(MPI_COMM_WORLD, options);
    const MPI_Comm model = model_ranks(io);
    if (model != MPI_COMM_NULL) use(io, model);
    SV_MUST(sv_finalize(io));
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

/// The status of a refusal, and all that its message must name: the file, the cause, the remedy.
void require_refused(int status, const std::string &call, const std::string &path, const std::string &store) {
  const std::string text = status == SV_OK ? "success" : sv_message();
  require(status == SV_ECONFIG, call + ": " + text);
  for (const std::string &word :
       {"'" + path + "'", std::string("durability: ordered"), "growing file of the store '" + store + "'",
        std::string("Choose on_disk or written, or the store cdf")})
    require(text.find(word) != std::string::npos, call + ": '" + text + "' does not mention '" + word + "'");
}

void require_nothing_left(MPI_Comm comm, const std::string &path) {
  MPI_Barrier(comm);
  for (const std::string suffix : {"", ".part", ".complete", ".header", ".0000", ".0000.part"})
    require(!std::filesystem::exists(path + suffix), path + suffix + " is there, of a file that was refused");
  MPI_Barrier(comm);
}

void refuse_new(const Scene &scene, sv_context *io, MPI_Comm comm, const std::string &path, bool series) {
  int var = -1;
  sv_file *file = begin_file(io, series ? "ordered_%Y.nc" : path, series ? SV_SERIES : SV_GROWING,
                             {{"time", SV_UNLIMITED}}, {{"time", SV_DOUBLE, {"time"}, &var}});
  SV_MUST(sv_put_att_text(file, var, "units", "days since 2001-01-01 00:00:00"));
  if (series) {
    const int date[6] = {2001, 1, 1, 12, 0, 0};
    int64_t record = -1;
    SV_MUST(sv_enddef(file));
    require_refused(sv_select_record(file, date, 0.5, &record, nullptr), "sv_select_record", path, scene.store);
  } else {
    require_refused(sv_enddef(file), "sv_enddef", path, scene.store);
  }
  sv_close(file);  // returns the error once more
  require_nothing_left(comm, path);
}

void refuse_all(const Scene &scene, sv_context *io, MPI_Comm comm) {
  refuse_new(scene, io, comm, "new.nc", false);
  refuse_new(scene, io, comm, "ordered_2001.nc", true);
  sv_file *file = nullptr;
  const std::string there = scene.store + ".nc";
  require_refused(sv_open(io, there.c_str(), SV_WRITE, &file), "sv_open", there, scene.store);
}

void try_store(const Scene &scene) {
  const std::string there = scene.store + ".nc";
  const auto specs_of = [&](const Grid &grid) {
    return std::vector<Spec>{{"a", SV_FLOAT, SV_FLOAT, scene.shape, {"y", "x"}, true, How::field, &grid}};
  };
  const auto write = [&](sv_context *io, MPI_Comm comm, const std::string &path) {
    const Grid grid{scene.shape, {}, blocks_2d(scene.shape, 1, size_of(comm), size_of(comm), {}), {}};
    write_file(io, comm, path, specs_of(grid), 3);
  };
  const auto check = [&](sv_context *io, MPI_Comm comm, const std::string &path) {
    const Grid grid{scene.shape, {}, blocks_2d(scene.shape, 1, size_of(comm), size_of(comm), {}), {}};
    check_file(io, path, specs_of(grid), 3);
  };
  scene.with({"kind=growing"}, [&](sv_context *io, MPI_Comm comm) {
    sv_file *file = nullptr;
    SV_MUST(sv_create(io, "empty.nc", 0, &file));
    SV_MUST(sv_enddef(file));
    SV_MUST(sv_close(file));
    write(io, comm, there);
  });
  scene.with({"durability=ordered"}, [&](sv_context *io, MPI_Comm comm) {
    refuse_all(scene, io, comm);
    write(io, comm, "published.nc");
    SV_MUST(sv_flush(io, SV_WRITTEN));
    check(io, comm, "published.nc");
    check(io, comm, there);
  });
  if (scene.served.empty())  // servers write single files
    scene.with({"durability=ordered", "route=per_pe"},
               [&](sv_context *io, MPI_Comm comm) { refuse_new(scene, io, comm, "set.nc", false); });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (const char *store : {"pnetcdf", "netcdf4", "netcdf4_library"})
    if (has_store(store)) try_store({store, argc > 1 ? argv[1] : ""});
  return MPI_Finalize();
}
