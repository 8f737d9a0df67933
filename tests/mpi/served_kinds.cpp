// Files of every kind through servers: stores, combined requests, new definitions, reading open files, the same
// path again, series, and files that the model writes itself. All hold the values that were put.
// run: ranks=5 limit=90
#include <filesystem>

#include "support/files.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;

struct Scene {
  sv_context *io;
  MPI_Comm comm;
  int rank, ranks;
  Grid grid;
  std::vector<Spec> specs;

  Scene(sv_context *of, MPI_Comm model) : io(of), comm(model), rank(rank_in(model)), ranks(size_of(model)) {
    const Numbers shape{23, 31};
    grid = {shape, {}, blocks_2d(shape, ranks, 1, ranks, {}), {1, 0, 0, 1}};
    specs = {{"depth", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid},
             {"never", SV_INT, SV_INT, {5}, {"five"}, false, How::never},
             {"rows", SV_DOUBLE, SV_FLOAT, {13}, {"row"}, false, How::subarrays},
             {"temp", SV_DOUBLE, SV_DOUBLE, {2, 23, 31}, {"z", "y", "x"}, true, How::field, &grid, 1},
             {"ice", SV_SHORT, SV_INT, shape, {"y", "x"}, true, How::field, &grid},
             {"day", SV_INT, SV_INT, {}, {}, true, How::replicated}};
  }
  Scene(const Scene &) = delete;
  Output output() const { return {io, rank}; }
};

/// The same name twice, with nothing awaited between; and a file of the model's own ranks in between.
void write_again(Scene &scene) {
  write_file(scene.io, scene.comm, "again.nc", scene.specs, 1);
  write_file(scene.io, scene.comm, "own.nc", scene.specs, 2);
  write_file(scene.io, scene.comm, "again.nc", scene.specs, 3);
}

/// All requests of a record at once: by sv_iput and sv_wait, or by sv_mput.
void put_together(Output &out, const Scene &scene, int64_t record) {
  const Spec &temp = scene.specs[3], &ice = scene.specs[4], &day = scene.specs[5];
  const Array temps = block_array(temp, out.rank, record), ices = block_array(ice, out.rank, record),
              days = whole_array(day, record);
  sv_decomp *const decomp = out.decomp(&scene.grid);
  SV_MUST(sv_iput_var(out.file, out.ids["day"], record, {day.memory, days.bytes.data(), nullptr}, nullptr));
  if (record % 2 == 0) {
    SV_MUST(sv_iput(out.file, out.ids["temp"], decomp, record, {temp.memory, temps.bytes.data(), nullptr}, nullptr));
    SV_MUST(sv_iput(out.file, out.ids["ice"], decomp, record, {ice.memory, ices.bytes.data(), nullptr}, nullptr));
  } else {
    const int vars[] = {out.ids["temp"], out.ids["ice"]};
    const sv_decomp *const decomps[] = {decomp, decomp};
    const int64_t records[] = {record, record};
    const sv_source values[] = {{temp.memory, temps.bytes.data(), nullptr}, {ice.memory, ices.bytes.data(), nullptr}};
    SV_MUST(sv_mput(out.file, 2, vars, decomps, records, values));
  }
  SV_MUST(sv_wait(out.file, SV_ALL, nullptr, nullptr));
  SV_MUST(sv_end_step(scene.io));
}

/// Values are read back from the open file, also where servers have it open together.
void read_back(Output &out, const Scene &scene, int64_t record) {
  const Spec &temp = scene.specs[3];
  const Array right = block_array(temp, out.rank, record);
  std::vector<char> found = right.bytes;
  for_own_elements(temp, out.rank, [&](const Numbers &local, const Numbers &) {
    store(temp.memory, found.data() + right.offset(local), -1);
  });
  SV_MUST(sv_get(out.file, out.ids["temp"], out.decomp(&scene.grid), record, temp.memory, found.data(), nullptr));
  require(found == right.bytes, "what is read from the open file, record " + std::to_string(record));
  const Spec &day = scene.specs[5];
  const Array whole = whole_array(day, record);
  std::vector<char> days(whole.bytes.size(), -1);
  SV_MUST(sv_get_var(out.file, out.ids["day"], record, day.memory, days.data(), nullptr));
  require(days == whole.bytes, "what every rank reads from the open file, record " + std::to_string(record));
}

/// Definitions are made anew while the servers have records to write.
void write_mixed(Scene &scene) {
  Output out = create_output(scene.io, scene.rank, "mixed.nc", scene.specs);
  put(out, scene.specs[0], SV_NO_RECORD);
  put_subarrays(out, scene.specs[2], scene.ranks, 0);
  put_together(out, scene, 0);
  put_together(out, scene, 1);
  read_back(out, scene, 1);
  SV_MUST(sv_redef(out.file));
  int late = -1, dims[2] = {-1, -1};
  SV_MUST(sv_inq_dimid(out.file, "time", &dims[0]));
  SV_MUST(sv_def_dim(out.file, "four", 4, &dims[1]));
  SV_MUST(sv_def_var(out.file, "late", SV_FLOAT, 2, dims, &late));
  const std::string text(3000, 'a');  // the header outgrows its room
  SV_MUST(sv_put_att_text(out.file, SV_GLOBAL, "history", text.c_str()));
  SV_MUST(sv_enddef(out.file));
  put_together(out, scene, 2);
  const float values[4] = {1, 2, 3, 4};
  SV_MUST(sv_put_var(out.file, late, 2, SV_FLOAT, values, nullptr));
  close_output(out);
}

void write_series(Scene &scene) {
  Output out = scene.output();
  const std::vector<Spec> specs{scene.specs[0], scene.specs[4]};
  SV_MUST(sv_create(scene.io, "series_%Y-%m.nc", SV_SERIES, &out.file));
  define(out, specs);
  int dim = -1, time = -1;
  SV_MUST(sv_inq_dimid(out.file, "time", &dim));
  SV_MUST(sv_def_var(out.file, "time", SV_DOUBLE, 1, &dim, &time));
  SV_MUST(sv_enddef(out.file));
  for (int n = 0; n < 4; ++n) {  // two records in each of two months
    const int date[6] = {2001, 1 + n / 2, 1 + n, 12, 0, 0};
    int64_t record = -1;
    int wants_fixed = -1;
    SV_MUST(sv_select_record(out.file, date, 30.0 * n, &record, &wants_fixed));
    require(record == n % 2, "the record of the series");
    if (wants_fixed != 0) put(out, specs[0], SV_NO_RECORD);
    put(out, specs[1], record);
    SV_MUST(sv_end_step(scene.io));
  }
  close_output(out);
}

void check_files(const Scene &scene) {
  NetcdfFile("again.nc").check_all(scene.specs, 3);
  NetcdfFile("own.nc").check_all(scene.specs, 2);
  const NetcdfFile mixed("mixed.nc");
  mixed.check_all(scene.specs, 3);
  require(mixed.values("late", {4}, 2) == std::vector<double>({1, 2, 3, 4}), "what was defined later");
  for (const char *path : {"series_2001-01.nc", "series_2001-02.nc"})
    NetcdfFile(path).check_all({scene.specs[0], scene.specs[4]}, 2);
}

bool is_compiled(sv_context *io) {
  sv_file *file = nullptr;
  const int status = sv_create(io, "empty.nc", 0, &file);
  if (status == SV_ECOMPILED) return false;
  ok(status, "sv_create");
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  return true;
}

void try_kind(const std::vector<std::string> &options) {
  std::string description;
  std::vector<const char *> list;
  for (const std::string &option : options) {
    description += " " + option;
    list.push_back(option.c_str());
  }
  at_root([&] {
    std::ofstream("own.yaml") << "files:\n  own.nc:\n    async.group: none\n";
    for (const char *path : {"again.nc", "own.nc", "mixed.nc", "series_2001-01.nc", "series_2001-02.nc"})
      std::filesystem::remove(path);
    std::printf("%s\n", description.c_str());
    std::fflush(stdout);
  });
  sv_context *io = nullptr;
  SV_MUST(sv_init(MPI_COMM_WORLD, "own.yaml", static_cast<int>(list.size()), list.data(), &io));
  const MPI_Comm comm = model_ranks(io);
  if (comm == MPI_COMM_NULL) return ok(sv_finalize(io), "sv_finalize");
  Scene scene(io, comm);
  const bool compiled = is_compiled(io);
  if (compiled) {
    write_again(scene);
    write_mixed(scene);
    write_series(scene);
  }
  SV_MUST(sv_finalize(io));
  if (compiled && scene.rank == 0) check_files(scene);
}

/// All kinds in one folder: a server that is the first rank of all removes files that the model may still check.
void try_kinds(const std::vector<std::vector<std::string>> &kinds) {
  for (const std::vector<std::string> &options : kinds) {
    try_kind(options);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  try_kinds({{"async=servers:1", "combine=step"},
             {"async=servers:2", "async.groups=2", "kind=growing", "testing.ranks_per_node=2"},
             {"async=servers:2", "store=pnetcdf"},
             {"async=servers:1", "store=netcdf4_library", "compression=deflate:1", "chunks=writers"},
             {"async=servers:2", "store=netcdf4_library", "kind=growing"},
             {"async=servers:1", "format=netcdf4", "compression=deflate:1"},
             {"async=servers:2", "format=netcdf4", "compression=deflate:1", "compression.checksum=true", "chunks=5,9",
              "compression.threads=3"},
             {"async=servers:2", "format=netcdf4", "compression=deflate:1", "kind=growing"}});
  return MPI_Finalize();
}
