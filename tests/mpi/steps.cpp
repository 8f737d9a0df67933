// Steps in odd orders: records that are skipped, rewritten, or put again before they are committed; files without
// records or without anything; two files of one step, of which one is synchronised alone; concurrent readers.
// run: ranks=1 limit=60
// run: ranks=4 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=1 limit=60 name=combined env=SV_COMBINE=step
// run: ranks=4 limit=60 name=combined env=SV_COMBINE=step
// run: ranks=5 limit=60 name=combined_nodes env=SV_COMBINE=step;SV_TESTING_RANKS_PER_NODE=2
// run: ranks=1 limit=60 name=behind behind
// run: ranks=5 limit=60 name=behind behind env=SV_TESTING_RANKS_PER_NODE=2
#include <filesystem>
#include <functional>

#include "support/files.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

const Numbers shape{13, 29};

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid grid{shape, {}, blocks_2d(shape, ranks, 1, ranks, {}), {0, 1, 1, 0}};
  std::vector<Spec> specs{{"speed", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid},
                          {"ice", SV_SHORT, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid},
                          {"depth", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid}};
  sv_context *io = start(MPI_COMM_WORLD, {"file_system.stripe=4096", "route=ranges", "writers=1 per node"});

  Output create(const std::string &path, int flags) const {
    Output out = create_output(io, rank, path, specs, flags);
    return out;
  }
  void end_step() const { SV_MUST(sv_end_step(io)); }
};

/// What a variable holds that was never written.
Spec unwritten(Spec spec) {
  spec.how = How::never;
  return spec;
}

/// Collective. Counted values are there, where threads write behind the calls, too.
void check(const Scene &scene, const std::string &path, int64_t records,
           const std::function<void(const NetcdfFile &)> &more) {
  SV_MUST(sv_flush(scene.io, SV_WRITTEN));
  at_root([&] {
    const NetcdfFile file(path);
    require(file.records() == records,
            path + " has " + std::to_string(file.records()) + " records, not " + std::to_string(records));
    more(file);
  });
}

/// Record 2 comes first, record 0 after it, record 1 never.
void skipped(const Scene &scene) {
  Output out = scene.create("skipped.nc", SV_GROWING);
  put(out, scene.specs[0], 2);
  scene.end_step();
  check(scene, "skipped.nc", 3, [&](const NetcdfFile &file) {
    file.check(scene.specs[0], 2);
    for (int64_t record : {0, 1}) file.check(unwritten(scene.specs[0]), record);
    for (int64_t record : {0, 1, 2}) file.check(unwritten(scene.specs[1]), record);
    file.check(unwritten(scene.specs[2]), -1);
  });
  put(out, scene.specs[0], 0);
  put(out, scene.specs[1], 1);
  put(out, scene.specs[2], SV_NO_RECORD);
  SV_MUST(sv_close(out.file));
  check(scene, "skipped.nc", 3, [&](const NetcdfFile &file) {
    file.check(scene.specs[0], 0);
    file.check(unwritten(scene.specs[0]), 1);
    file.check(scene.specs[1], 1);
    file.check(scene.specs[2], -1);
  });
}

/// Cells that are put twice have the second values.
void twice(const Scene &scene) {
  Output out = scene.create("twice.nc", 0);
  Spec other = scene.specs[0];
  other.name = "first try";
  out.ids[other.name] = out.ids["speed"];
  put(out, other, 0);
  put(out, scene.specs[0], 0);
  put(out, other, 1);
  scene.end_step();
  scene.end_step();
  put(out, scene.specs[0], 1);
  SV_MUST(sv_close(out.file));
  check(scene, "twice.nc", 2, [&](const NetcdfFile &file) {
    file.check(scene.specs[0], 0);
    file.check(scene.specs[0], 1);
  });
}

/// sv_sync commits one file, sv_end_step all; others see committed data, no more.
void two_files(const Scene &scene) {
  if (scene.rank == 0) std::filesystem::remove("second.nc");
  Output first = scene.create("first.nc", SV_GROWING), second = scene.create("second.nc", SV_GROWING);
  put(first, scene.specs[0], 0);
  put(second, scene.specs[0], 0);
  SV_MUST(sv_sync(first.file));
  check(scene, "first.nc", 1, [&](const NetcdfFile &file) { file.check(scene.specs[0], 0); });
  require(!std::filesystem::exists("second.nc"), "second.nc is there before its first commit");
  scene.end_step();
  check(scene, "second.nc", 1, [&](const NetcdfFile &file) { file.check(scene.specs[0], 0); });
  put(first, scene.specs[0], 1);
  check(scene, "first.nc", 1, [](const NetcdfFile &) {});
  SV_MUST(sv_close(second.file));
  SV_MUST(sv_flush(scene.io, SV_WRITTEN));
  require(std::filesystem::exists("second.nc.complete"), "second.nc.complete is missing");
  SV_MUST(sv_close(first.file));
  check(scene, "first.nc", 2, [&](const NetcdfFile &file) { file.check(scene.specs[0], 1); });
}

/// The writer reads its own committed records, and another context follows the growing file.
void read_beside(const Scene &scene) {
  Output out = scene.create("beside.nc", SV_GROWING);
  put(out, scene.specs[2], SV_NO_RECORD);
  sv_context *reader = start(MPI_COMM_WORLD, {});
  sv_decomp *decomp = declare(reader, scene.grid, scene.rank);
  for (int64_t record = 0; record < 3; ++record) {
    put(out, scene.specs[0], record);
    scene.end_step();
    SV_MUST(sv_flush(scene.io, SV_WRITTEN));
    const Input own{scene.io, out.file, scene.rank, "beside.nc, read by its writer"};
    check_field(own, scene.specs[0], out.decomp(&scene.grid), record, scene.specs[0]);
    check_whole(own, scene.specs[2], -1, scene.specs[2]);
    Input other{reader, nullptr, scene.rank, "beside.nc, read by another"};
    other.file = open_file(reader, "beside.nc");
    check_field(other, scene.specs[0], decomp, record, scene.specs[0]);
    check_whole(other, unwritten(scene.specs[1]), record, unwritten(scene.specs[1]));
    SV_MUST(sv_close(other.file));
  }
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_finalize(reader));
}

/// Nothing put, no records, no variables, no dimensions.
void empty_files(const Scene &scene) {
  Output out = scene.create("nothing_put.nc", 0);
  SV_MUST(sv_close(out.file));
  check(scene, "nothing_put.nc", 0, [&](const NetcdfFile &file) { file.check(unwritten(scene.specs[2]), -1); });
  out.file = make_file(scene.io, "empty.nc", 0, {}, {});
  scene.end_step();
  SV_MUST(sv_close(out.file));
  check(scene, "empty.nc", 0, [](const NetcdfFile &) {});
}

/// A published file replaces the one that is there at the end, not before.
void replaced(const Scene &scene) {
  std::filesystem::create_directories("deep/er");
  const std::string path = std::filesystem::absolute("deep/er/replaced.nc").string();
  MPI_Barrier(MPI_COMM_WORLD);
  Output out = scene.create(path, 0);
  put(out, scene.specs[0], 0);
  SV_MUST(sv_close(out.file));
  out = scene.create(path, SV_PUBLISHED | SV_64BIT_DATA);
  put(out, scene.specs[0], 1);
  scene.end_step();
  check(scene, path, 1, [&](const NetcdfFile &file) { file.check(scene.specs[0], 0); });
  SV_MUST(sv_close(out.file));
  check(scene, path, 2, [&](const NetcdfFile &file) { file.check(scene.specs[0], 1); });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    const Scene scene;
    skipped(scene);
    twice(scene);
    two_files(scene);
    read_beside(scene);
    empty_files(scene);
    replaced(scene);
    SV_MUST(sv_finalize(scene.io));
  }
  return MPI_Finalize();
}
