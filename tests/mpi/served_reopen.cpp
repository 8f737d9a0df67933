// Servers have carried out all commands for a file when the model opens it again, under any name, or reads it while it
// is written, with and without synchronisations before.
// run: ranks=3 limit=60 args=async=servers:1
// run: ranks=5 limit=60 name=nodes args=async=servers:2 testing.ranks_per_node=3 async.forwarding=asynchronous
// run: ranks=3 limit=60 name=through args=async=servers:1 reading=servers
// run: ranks=3 limit=60 name=alone args=async=none
// run: ranks=4 limit=60 name=netcdf4 env=SV_STORE=netcdf4 args=async=servers:2
// run: ranks=4 limit=60 name=zarr env=SV_STORE=zarr args=async=servers:2
// run: ranks=5 limit=60 name=behind behind env=SV_TESTING_RANKS_PER_NODE=2 args=async=threads
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

constexpr int64_t cells = 60000;  // so that writing takes a while

struct Scene {
  sv_context *io;
  MPI_Comm comm;
  Spec spec{"a", SV_FLOAT, SV_FLOAT, {cells}, {"x"}, true, How::replicated};
};

Output created(Scene &scene, const std::string &path, int kind) {
  const int format = std::getenv("SV_STORE") == nullptr ? SV_64BIT_OFFSET : 0;
  return create_output(scene.io, rank_in(scene.comm), path, {scene.spec}, kind | format);
}

void check_records(Scene &scene, const std::string &path, int64_t records, const std::string &description) {
  const Input in{scene.io, open_file(scene.io, path), rank_in(scene.comm), description};
  int64_t found = 0;
  int dim = -1;
  SV_MUST(sv_inq(in.file, nullptr, nullptr, nullptr, &dim));
  SV_MUST(sv_inq_dim(in.file, dim, nullptr, &found));
  require(found == records, description + ": " + std::to_string(found) + " records");
  for (int64_t r = 0; r < records; ++r) check_whole(in, scene.spec, r, scene.spec);
  SV_MUST(sv_close(in.file));
}

/// `before` is called after sv_enddef, or (with a record) after a put.
void reopens(Scene &scene, int kind, const std::string &before, bool record, const std::string &name) {
  const std::string description = before + ", kind " + std::to_string(kind) + (record ? ", a record before" : "");
  Output out = created(scene, "file.nc", kind);
  if (record) put(out, scene.spec, 0);
  if (before == "sync") SV_MUST(sv_sync(out.file));
  if (before == "flush") SV_MUST(sv_flush(scene.io, SV_WRITTEN));
  for (int64_t r = record ? 1 : 0; r < 4; ++r) put(out, scene.spec, r);
  SV_MUST(sv_close(out.file));
  check_records(scene, name, 4, description);
}

/// A record after the last one: it replaces none.
void appends(Scene &scene) {
  Output out = created(scene, "file.nc", SV_GROWING);
  put(out, scene.spec, 0);
  SV_MUST(sv_sync(out.file));
  for (int64_t r = 1; r < 4; ++r) put(out, scene.spec, r);
  SV_MUST(sv_close(out.file));
  out.file = open_file(scene.io, "file.nc", SV_WRITE);
  int64_t found = 0;
  SV_MUST(sv_inq_dim(out.file, 0, nullptr, &found));
  require(found == 4, "appended to " + std::to_string(found) + " records");
  const Input in{scene.io, out.file, out.rank, "a file that is appended to"};
  for (int64_t r = 0; r < 4; ++r) check_whole(in, scene.spec, r, scene.spec);
  put(out, scene.spec, 4);
  SV_MUST(sv_end_step(scene.io));
  check_whole(in, scene.spec, 4, scene.spec);
  SV_MUST(sv_close(out.file));
  check_records(scene, "file.nc", 5, "appended");
}

/// The records of a step that ends after everything was flushed.
void counts(Scene &scene) {
  Output out = created(scene, "file.nc", SV_GROWING);
  for (int64_t r = 0; r < 2; ++r) put(out, scene.spec, r);
  SV_MUST(sv_flush(scene.io, SV_WRITTEN));
  SV_MUST(sv_end_step(scene.io));
  check_records(scene, "file.nc", 2, "a step that ended after a flush");
  SV_MUST(sv_close(out.file));
}

/// A get between redefinitions: in place, and where the data move.
void redefines(Scene &scene, int kind) {
  Output out = created(scene, "file.nc", kind);
  Spec added = scene.spec;
  added.name = "b";
  for (int64_t r = 0; r < 4; ++r) {
    const std::string description = "record " + std::to_string(r) + " of a file that is redefined";
    put(out, scene.spec, r);
    if (r > 0) put(out, added, r);
    SV_MUST(sv_end_step(scene.io));
    check_whole({scene.io, out.file, out.rank, description}, scene.spec, r, scene.spec);
    if (r > 0) check_whole({scene.io, out.file, out.rank, description}, added, r, added);
    SV_MUST(sv_redef(out.file));
    if (r == 0) {
      const int dims[] = {0, 1};
      SV_MUST(sv_def_var(out.file, "b", SV_FLOAT, 2, dims, &out.ids["b"]));
    } else {
      SV_MUST(sv_put_att_text(out.file, SV_GLOBAL, "history", "redefined"));
    }
    SV_MUST(sv_enddef(out.file));
    check_whole({scene.io, out.file, out.rank, description + ", after it"}, scene.spec, r, scene.spec);
  }
  SV_MUST(sv_close(out.file));
  check_records(scene, "file.nc", 4, "redefined");
}

bool is_compiled(sv_context *io) {
  sv_file *file = nullptr;
  const int status = sv_create(io, "empty.nc", 0, &file);
  if (status == SV_ECOMPILED) return false;
  ok(status, "sv_create");
  SV_MUST(sv_abort(file));
  return true;
}

void run(sv_context *io) {
  Scene scene{io, MPI_COMM_NULL};
  SV_MUST(sv_model_comm(io, &scene.comm));
  if (rank_in(scene.comm) == 0) {
    std::filesystem::remove("link.nc");
    std::filesystem::create_symlink("file.nc", "link.nc");
  }
  for (const int kind : {SV_PUBLISHED, SV_GROWING})
    for (const std::string before : {"nothing", "sync", "flush"})
      for (const bool record : {false, true}) {
        reopens(scene, kind, before, record, "file.nc");
        reopens(scene, kind, before, record, "./file.nc");
        reopens(scene, kind, before, record, "link.nc");
        reopens(scene, kind, before, record, std::filesystem::absolute("file.nc"));
      }
  appends(scene);
  counts(scene);
  for (const int kind : {SV_PUBLISHED, SV_GROWING}) redefines(scene, kind);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<std::string> options{"transport.window=1MiB"};
  for (int i = 1; i < argc; ++i) options.emplace_back(argv[i]);
  sv_context *io = start(MPI_COMM_WORLD, options);
  if (model_ranks(io) != MPI_COMM_NULL && is_compiled(io)) run(io);
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
