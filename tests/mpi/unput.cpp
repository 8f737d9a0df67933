// Variables without records that are read while their file is written, before a put: they have their fill values,
// with any bytes behind them in the file, and later puts replace these. Also part of a record that is put and read
// again and again: a reader finds the last values, also in chunks of other ranks. Also records without a put, because
// a later one was put.
// run: ranks=3 limit=60
// run: ranks=1 limit=60
// run: ranks=3 limit=60 name=pnetcdf env=SV_STORE=pnetcdf
// run: ranks=3 limit=60 name=netcdf4_library env=SV_STORE=netcdf4_library
// run: ranks=3 limit=60 name=netcdf4 env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1
// run: ranks=3 limit=60 name=netcdf4.chunks env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1;SV_CHUNKS=14,300
// run: ranks=1 limit=60 name=netcdf4.chunks env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1;SV_CHUNKS=14,300
// run: ranks=3 limit=60 name=zarr env=SV_STORE=zarr;SV_WRITERS=3;SV_CHUNKS=14,300
// run: ranks=3 limit=60 name=zarr.shards
// env=SV_STORE=zarr;SV_COMPRESSION=zstd:1;SV_CHUNKS=7,300;SV_CHUNKS_SHARDS=14,300 run: ranks=1 limit=60
// name=zarr.shards env=SV_STORE=zarr;SV_COMPRESSION=zstd:1;SV_CHUNKS=7,300;SV_CHUNKS_SHARDS=14,300 run: ranks=5
// limit=60 name=behind behind env=SV_TESTING_RANKS_PER_NODE=2 run: ranks=5 limit=60 name=behind_netcdf4 behind
// env=SV_TESTING_RANKS_PER_NODE=2;SV_STORE=netcdf4;SV_COMPRESSION=deflate:1 run: ranks=5 limit=60 name=behind_zarr
// behind env=SV_TESTING_RANKS_PER_NODE=2;SV_STORE=zarr;SV_COMPRESSION=deflate:1 run: ranks=5 limit=60 name=servers
// env=SV_ASYNC=servers:2

#include "support/files.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;

constexpr int64_t ny = 40, nx = 300;
constexpr double fill = -77;

struct Scene {
  sv_context *io;
  MPI_Comm models;
  int rank, ranks;
  sv_decomp *rows;
  int64_t first, count;
};

using Doubles = std::vector<double>;

void require_all(const Doubles &found, double value, const std::string &how) {
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] != value) give_up(how + ": " + std::to_string(found[i]) + " at " + std::to_string(i));
}

double put_value(int v) { return 100 + v; }

/// Each way of reading has a variable of its own, since a first one may make it right for the others.
void read_all(const Scene &s, sv_file *file, const std::string &description, const std::vector<double> &values) {
  Doubles own(static_cast<size_t>(s.count * nx), 5), whole(static_cast<size_t>(ny * nx), 5), part(6, 5);
  const auto expect_all = [&](const Doubles &found, int v, const char *how) {
    require_all(found, values[static_cast<size_t>(v)], description + ", " + how);
  };
  SV_MUST(sv_get(file, 0, s.rows, SV_NO_RECORD, SV_DOUBLE, own.data(), nullptr));
  expect_all(own, 0, "sv_get");
  SV_MUST(sv_get_var(file, 1, SV_NO_RECORD, SV_DOUBLE, whole.data(), nullptr));
  expect_all(whole, 1, "sv_get_var");
  const int64_t start[] = {s.rank, 4}, count[] = {2, 3};
  SV_MUST(sv_get_vara(file, 2, start, count, SV_DOUBLE, part.data(), nullptr));
  expect_all(part, 2, "sv_get_vara");
  const int vars[] = {3, 4};
  const sv_decomp *const decomps[] = {s.rows, s.rows};
  const int64_t records[] = {SV_NO_RECORD, SV_NO_RECORD};
  Doubles other(own.size(), 5);
  const sv_target into[] = {{SV_DOUBLE, own.data(), nullptr}, {SV_DOUBLE, other.data(), nullptr}};
  SV_MUST(sv_mget(file, 2, vars, decomps, records, into));
  expect_all(own, 3, "the first of sv_mget");
  expect_all(other, 4, "the second of sv_mget");
}

/// A rank puts the first of the last rows, which have a chunk of their own in stores with chunks; all read them.
void change_rows(const Scene &s, sv_file *file, int variable, double before) {
  constexpr int64_t first = 28, rows = 2;
  const bool puts = s.rank == s.ranks / 2;
  const int64_t start[] = {0, first, 0}, count[] = {puts ? 1 : 0, puts ? rows : 0, puts ? nx : 0};
  Doubles whole(static_cast<size_t>(ny * nx)), wanted(whole.size(), before);
  for (int round = 0; round < 3; ++round) {
    const Doubles values(puts ? rows * nx : 0, round);
    SV_MUST(sv_put_vara(file, variable, start, count, SV_DOUBLE, values.data(), nullptr));
    std::fill_n(wanted.begin() + first * nx, rows * nx, round);
    for (const bool ends : {false, true}) {
      if (ends) SV_MUST(sv_end_step(s.io));
      SV_MUST(sv_get_var(file, variable, 0, SV_DOUBLE, whole.data(), nullptr));
      for (size_t i = 0; i < whole.size(); ++i)
        if (whole[i] != wanted[i])
          give_up("round " + std::to_string(round) + (ends ? ", committed: " : ": ") + std::to_string(whole[i]) +
                  " at " + std::to_string(i));
    }
  }
}

std::string path_of(int kind, const std::string &ending) {
  return (kind == SV_GROWING ? "growing" : "published") + ending;
}

void write_records(const Scene &s, int kind) {
  int variable = -1;
  sv_file *file = make_file(s.io, path_of(kind, "_changed.nc"), kind, {{"time", SV_UNLIMITED}, {"y", ny}, {"x", nx}},
                            {{"changed", SV_DOUBLE, {"time", "y", "x"}, &variable}});
  const Doubles own(static_cast<size_t>(s.count * nx), fill);
  SV_MUST(sv_put(file, variable, s.rows, 0, SV_DOUBLE, own.data(), nullptr));
  SV_MUST(sv_end_step(s.io));
  change_rows(s, file, variable, fill);
  SV_MUST(sv_close(file));
}

void write_one(const Scene &s, int kind, bool with_record) {
  const std::string path = path_of(kind, with_record ? "_record.nc" : ".nc");
  int series = -1;
  std::vector<Var> vars;
  for (int v = 0; v < 5; ++v) vars.push_back({"fixed" + std::to_string(v), SV_DOUBLE, {"y", "x"}, nullptr, &fill});
  vars.push_back({"series", SV_DOUBLE, {"time"}, &series});
  sv_file *file = make_file(s.io, path, kind, {{"time", SV_UNLIMITED}, {"y", ny}, {"x", nx}}, vars);
  if (with_record) {  // behind the fixed variables, so that the file is long enough
    const double value = 3;
    SV_MUST(sv_put_var(file, series, 0, SV_DOUBLE, &value, nullptr));
  }
  read_all(s, file, path + ", not put", Doubles(5, fill));
  const Doubles own(static_cast<size_t>(s.count * nx), put_value(1));
  SV_MUST(sv_put(file, 1, s.rows, SV_NO_RECORD, SV_DOUBLE, own.data(), nullptr));
  SV_MUST(sv_end_step(s.io));
  const Doubles wanted{fill, put_value(1), fill, fill, fill};
  read_all(s, file, path + ", one put", wanted);
  SV_MUST(sv_close(file));
  SV_MUST(sv_flush(s.io, SV_WRITTEN));
  file = open_file(s.io, path);
  read_all(s, file, path + ", closed", wanted);
  SV_MUST(sv_close(file));
}

/// The calls with which this process has written; 0 where the system does not count them.
int64_t writing_calls() {
  std::ifstream counters("/proc/self/io");
  for (std::string name; counters >> name;) {
    int64_t count = 0;
    counters >> count;
    if (name == "syscw:") return count;
  }
  return 0;
}

/// A record far behind the others costs what it has between, not a call for each record.
void write_far(const Scene &s, int kind, bool is_cheap) {
  constexpr int64_t far = 20000, near = far / 2, last = 77;
  const std::string path = path_of(kind, "_far.nc");
  const short fills[] = {0x0303, 0x0404, 0x0505};
  sv_file *file = make_file(s.io, path, kind, {{"time", 0}},
                            {{"byte0", SV_BYTE, {"time"}, nullptr, &fills[0]},
                             {"byte1", SV_SHORT, {"time"}, nullptr, &fills[1]},
                             {"byte2", SV_BYTE, {"time"}, nullptr, &fills[2]}});
  const int64_t before = writing_calls();
  const double value = last;
  SV_MUST(sv_put_var(file, 1, near, SV_DOUBLE, &value, nullptr));
  SV_MUST(sv_put_var(file, 0, far, SV_DOUBLE, &value, nullptr));
  SV_MUST(sv_end_step(s.io));
  SV_MUST(sv_close(file));
  SV_MUST(sv_flush(s.io, SV_WRITTEN));
  const int64_t calls = writing_calls() - before;
  require(!is_cheap || calls < far / 20, path + " took " + std::to_string(calls) + " calls that write");
  file = open_file(s.io, path);
  const int64_t start[] = {0}, count[] = {far + 1};
  Doubles all(static_cast<size_t>(far + 1));
  for (int v = 0; v < 3; ++v) {
    SV_MUST(sv_get_vara(file, v, start, count, SV_DOUBLE, all.data(), nullptr));
    Doubles wanted(all.size(), (v == 1 ? 0x0101 : 1) * (v + 3));
    if (v == 0) wanted[far] = last;
    if (v == 1) wanted[near] = last;
    for (size_t r = 0; r < all.size(); ++r)
      if (all[r] != wanted[r])
        give_up(path + ", variable " + std::to_string(v) + ", record " + std::to_string(r) + ": " +
                std::to_string(all[r]));
  }
  SV_MUST(sv_close(file));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (const char *const store = std::getenv("SV_STORE"); store != nullptr && !has_store(store)) return MPI_Finalize();
  Scene s{start(MPI_COMM_WORLD, {"transport.window=1MiB"}), MPI_COMM_NULL, 0, 1, nullptr, 0, 0};
  s.models = model_ranks(s.io);
  if (s.models != MPI_COMM_NULL) {
    s.rank = rank_in(s.models);
    s.ranks = size_of(s.models);
    SV_MUST(sv_block(ny, s.ranks, s.rank, &s.first, &s.count));
    const int64_t shape[] = {ny, nx}, start[] = {s.first, 0}, count[] = {s.count, nx};
    SV_MUST(sv_def_decomp(s.io, 2, shape, start, count, nullptr, &s.rows));
    for (const int kind : {SV_PUBLISHED, SV_GROWING})
      for (const bool with_record : {false, true}) write_one(s, kind, with_record);
    for (const int kind : {SV_PUBLISHED, SV_GROWING}) write_records(s, kind);
    const bool is_plain = std::getenv("SV_STORE") == nullptr && std::getenv("SV_ASYNC") == nullptr;
    for (const int kind : {SV_PUBLISHED, SV_GROWING})
      if (std::getenv("SV_STORE") == nullptr) write_far(s, kind, is_plain);
  }
  SV_MUST(sv_finalize(s.io));
  return MPI_Finalize();
}
