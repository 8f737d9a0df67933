// A file that is redefined, for the faults of run: victim make FILE writes it; victim move FILE and victim stay FILE
// redefine it and add a record; victim verify FILE says whether it is the old or the new one, whole. victim repair FILE
// reads it through Sverdrup, first without changing it, and then opens it for writing, so that others can read it.
// victim fill FILE FILLER KIND (growing or published) writes it, fills the disk, and redefines it within its reserve.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <functional>

#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t old_records = 3;
const Numbers shape{60, 500};

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid grid{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {}};
  Spec first{"first", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid};
  Spec added{"added", SV_FLOAT, SV_FLOAT, shape, {"y", "x"}, true, How::field, &grid};
};

/// Until its first records are committed.
Output made(Scene &s, const char *path, int kind) {
  Output out{start(MPI_COMM_WORLD, {"transport.window=1MiB", "header_reserve=64KiB"}), s.rank};
  SV_MUST(sv_create(out.io, path, kind, &out.file));
  define(out, {s.first});
  SV_MUST(sv_enddef(out.file));
  for (int64_t record = 0; record < old_records; ++record) put(out, s.first, record);
  SV_MUST(sv_end_step(out.io));
  return out;
}

void make(Scene &s, const char *path) {
  const Output out = made(s, path, SV_GROWING);
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_finalize(out.io));
}

/// Takes all the room that is left.
void fill_disk(const char *filler) {
  const int file = open(filler, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  require(file >= 0, std::string("cannot create ") + filler);
  const std::array<char, 512> zeros{};
  for (const size_t size : {zeros.size(), size_t{1}})
    while (write(file, zeros.data(), size) > 0) {
    }
  close(file);
}

int redefine_on_full_disk(Scene &s, const char *path, const char *filler, const std::string &kind) {
  const Output out = made(s, path, kind == "published" ? SV_PUBLISHED : SV_GROWING);
  if (s.rank == 0) fill_disk(filler);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string text(50'000, 'q');
  int status = sv_redef(out.file);
  if (status == SV_OK) status = sv_put_att_text(out.file, SV_GLOBAL, "history", text.c_str());
  if (status == SV_OK) status = sv_enddef(out.file);
  std::printf("RESULT %d %s\n", status, status == SV_OK ? "" : sv_message());
  std::fflush(stdout);
  const int closed = sv_close(out.file);
  sv_finalize(out.io);
  return status != SV_OK ? status : closed;
}

/// One rank: reads all records, then opens for writing and closes.
void repair(const Scene &s, const char *path) {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  for (const int flags : {SV_NOWRITE, SV_WRITE}) {
    const auto size = std::filesystem::file_size(path);
    int var = -1, record_dim = -1;
    int64_t records = 0;
    sv_file *file = open_file(io, path, flags);
    SV_MUST(sv_inq_varid(file, "first", &var));
    SV_MUST(sv_inq(file, nullptr, nullptr, nullptr, &record_dim));
    SV_MUST(sv_inq_dim(file, record_dim, nullptr, &records));
    require(records == old_records || records == old_records + 1, std::to_string(records) + " records");
    std::vector<double> found(static_cast<size_t>(product(shape)));
    for (int64_t record = 0; record < records; ++record) {
      SV_MUST(sv_get_var(file, var, record, SV_DOUBLE, found.data(), nullptr));
      require(found == expected(s.first, record), "record " + std::to_string(record) + " has other values");
    }
    SV_MUST(sv_close(file));
    require(flags == SV_WRITE || std::filesystem::file_size(path) == size, "reading has changed the file");
  }
  SV_MUST(sv_finalize(io));
}

/// The first error of this rank; SV_OK without one.
int redefine(Scene &s, const char *path, bool moves) {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "file_system.stripe=16384", "route=ranges",
                                          "writers=2", "watchdog=5s"});
  sv_decomp *decomp = declare(io, s.grid, s.rank);
  sv_file *file = nullptr;
  int first = -1, added = -1, status = sv_open(io, path, SV_WRITE, &file);
  std::string description = status == SV_OK ? "" : sv_message();
  const bool opened = status == SV_OK;
  const auto go_on = [&](const std::function<int()> &call) {
    if (status == SV_OK && (status = call()) != SV_OK) description = sv_message();
  };
  const int dims[] = {0, 1, 2};
  const double fill = s.added.fill;
  const auto single = static_cast<float>(fill);
  const auto put_one = [&](const Spec &spec, int var) {
    const Array array = block_array(spec, s.rank, old_records);
    return sv_put(file, var, decomp, old_records, spec.memory, array.bytes.data(), nullptr);
  };
  go_on([&] { return sv_inq_varid(file, "first", &first); });
  go_on([&] { return sv_redef(file); });
  go_on([&] { return sv_put_att_text(file, SV_GLOBAL, "history", "redefined"); });
  if (moves) go_on([&] { return sv_def_var(file, "added", SV_FLOAT, 3, dims, &added); });
  if (moves) go_on([&] { return sv_def_fill(file, added, &single); });
  go_on([&] { return sv_enddef(file); });
  go_on([&] { return put_one(s.first, first); });
  if (moves) go_on([&] { return put_one(s.added, added); });
  if (opened) {
    const int closed = sv_close(file);
    go_on([&] { return closed; });
  }
  std::printf("RESULT %d %s\n", status, description.c_str());
  std::fflush(stdout);
  sv_finalize(io);
  return status;
}

int verify(const Scene &s, const char *path) {
  const NetcdfFile file(path);
  int id = -1, var = -1;
  nc(nc_open(path, NC_NOWRITE, &id), path);
  const bool has_added = nc_inq_varid(id, "added", &var) == NC_NOERR;
  nc(nc_close(id), path);
  const int64_t records = file.records();
  require(records == old_records || records == old_records + 1, std::to_string(records) + " records");
  Spec unput = s.added;
  unput.how = How::never;
  for (int64_t record = 0; record < records; ++record) {
    file.check(s.first, record);
    if (has_added) file.check(record < old_records ? unput : s.added, record);
  }
  std::printf("%s file, %lld records\n", has_added ? "new" : "old", static_cast<long long>(records));
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  require(argc == 3 || (argc == 5 && std::string(argv[1]) == "fill"), "victim make|move|stay|verify|repair FILE");
  MPI_Init(&argc, &argv);
  int status = 0;
  {
    Scene s;
    const std::string what = argv[1];
    if (what == "make") make(s, argv[2]);
    if (what == "repair") repair(s, argv[2]);
    if (what == "fill") status = redefine_on_full_disk(s, argv[2], argv[3], argv[4]);
    if (what == "verify") status = verify(s, argv[2]);
    if (what == "move" || what == "stay") status = redefine(s, argv[2], what == "move");
  }
  MPI_Finalize();
  return status == 0 ? 0 : 1;
}
