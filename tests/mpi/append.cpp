// Appending with sv_open(SV_WRITE): to files of netCDF-C and of Sverdrup, also to one that was left with bytes beyond
// its records. Old values stay, rewritten values change, new records follow.
// run: ranks=3 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=5 limit=60 name=behind behind env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=3 limit=60 name=behind_netcdf4 behind env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1
#include <filesystem>

#include "support/files.hpp"

namespace {

using namespace svtest;

const Numbers shape{19, 31};

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid grid{shape, {}, blocks_2d(shape, ranks, 1, ranks, {}), {1, 0, 0, 1}};
  std::vector<Spec> specs{
      {"ice", SV_SHORT, SV_FLOAT, shape, {"y", "x"}, true, How::field, &grid},
      {"fixed", SV_FLOAT, SV_FLOAT, shape, {"y", "x"}, false, How::field, &grid},
      {"speed", SV_DOUBLE, SV_DOUBLE, {2, shape[0], shape[1]}, {"z", "y", "x"}, true, How::field, &grid, 1}};
  sv_context *io = start(MPI_COMM_WORLD, {"file_system.stripe=4096"});
};

/// Another file with the same definitions and one record, from netCDF-C's hand: a copy of ours, written by its reader.
void make_with_netcdf(const Scene &scene, const std::string &from, const std::string &to) {
  at_root([&] {
    int in = -1, out = -1;
    nc(nc_open(from.c_str(), NC_NOWRITE, &in), from);
    nc(nc_create(to.c_str(), NC_CLOBBER, &out), to);
    for (const char *name : {"time", "y", "x", "z"}) {
      int dim = -1;
      size_t length = 0;
      nc(nc_inq_dimid(in, name, &dim), name);
      nc(nc_inq_dimlen(in, dim, &length), name);
      nc(nc_def_dim(out, name, std::string(name) == "time" ? NC_UNLIMITED : length, &dim), name);
    }
    nc(nc_enddef(out), to);
    for (int var = 0; var < static_cast<int>(scene.specs.size()); ++var) nc(nc_copy_var(in, var, out), to);
    nc(nc_close(out), to);
    nc(nc_close(in), from);
  });
}

/// Leaves bytes of a record that was never counted, as a killed run does.
void leave_bytes(const std::string &path) {
  at_root([&] { std::ofstream(path, std::ios::app | std::ios::binary) << std::string(5000, 'x'); });
}

void append(const Scene &scene, const std::string &path, int64_t first, int64_t last) {
  Output out{scene.io, scene.rank};
  out.file = open_file(scene.io, path, SV_WRITE);
  for (const Spec &spec : scene.specs) SV_MUST(sv_inq_varid(out.file, spec.name.c_str(), &out.ids[spec.name]));
  for (int64_t record = first; record < last; ++record) {
    for (const Spec &spec : scene.specs)
      if (spec.records) put(out, spec, record);
    SV_MUST(sv_end_step(scene.io));
    SV_MUST(sv_flush(scene.io, SV_WRITTEN));
    if (scene.rank == 0) NetcdfFile(path).check_all(scene.specs, record + 1);
  }
  close_output(out);
  SV_MUST(sv_flush(scene.io, SV_WRITTEN));
  if (scene.rank == 0) {
    NetcdfFile(path).check_all(scene.specs, last);
    require(std::filesystem::exists(path + ".complete"), path + ".complete is missing");
  }
}

/// Rewrites a record and the fixed variable, with other values than before.
void rewrite(const Scene &scene, const std::string &path, int64_t records) {
  Output out{scene.io, scene.rank};
  out.file = open_file(scene.io, path, SV_WRITE);
  Spec ice = scene.specs[0], fixed = scene.specs[1];
  ice.name = "other";
  fixed.name = "values";
  SV_MUST(sv_inq_varid(out.file, "ice", &out.ids["other"]));
  SV_MUST(sv_inq_varid(out.file, "fixed", &out.ids["values"]));
  put(out, ice, 1);
  put(out, fixed, SV_NO_RECORD);
  close_output(out);
  SV_MUST(sv_flush(scene.io, SV_WRITTEN));
  if (scene.rank != 0) return;
  const NetcdfFile file(path);
  require(file.records() == records, path + " changed its number of records");
  require(file.values("ice", shape, 1) == expected(ice, 1), "the rewritten record is wrong");
  require(file.values("fixed", shape, -1) == expected(fixed, -1), "the rewritten variable is wrong");
  file.check(scene.specs[0], 0);
  file.check(scene.specs[0], 2);
  for (int64_t record = 0; record < records; ++record) file.check(scene.specs[2], record);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    const Scene scene;
    write_file(scene.io, MPI_COMM_WORLD, "ours.nc", scene.specs, 1);
    make_with_netcdf(scene, "ours.nc", "theirs.nc");
    for (const char *path : {"ours.nc", "theirs.nc"}) {
      append(scene, path, 1, 3);
      leave_bytes(path);
      append(scene, path, 3, 4);
      rewrite(scene, path, 4);
    }
    SV_MUST(sv_finalize(scene.io));
  }
  return MPI_Finalize();
}
