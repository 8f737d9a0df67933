// Points in runs of one or two cells, as E3SM's grids are divided, are read in few calls of the store, by all ways and
// stores. CELLS and LEVELS set how many.
// run: ranks=3 limit=60
// run: ranks=4 limit=60 env=LEVELS=1;CELLS=16384
#include "support/files.hpp"
#include "support/points.hpp"

namespace {

using namespace svtest;

constexpr int64_t most_calls = 100;  // for 128 KiB, of all ranks, the header's included

/// Every rank's points: any of them, in the order of the file.
Numbers own_points(int64_t cells, int rank, int ranks) {
  Random random(7);
  Numbers own;
  for (int64_t cell = 0; cell < cells; ++cell)
    if (random.between(0, ranks - 1) == rank) own.push_back(cell);
  return own;
}

struct Scene {
  std::string store;
  int64_t levels, cells;
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Numbers own = own_points(cells, rank, ranks);
  sv_context *io = nullptr;
  sv_decomp *points = nullptr;
  sv_file *file = nullptr;
  std::string path = store + ".nc";

  std::vector<double> right() const {
    std::vector<double> values;
    for (int64_t level = 0; level < levels; ++level)
      for (const int64_t cell : own) values.push_back(static_cast<double>(level * cells + cell));
    return values;
  }
  void begin(const std::vector<std::string> &options) {
    io = start(MPI_COMM_WORLD, options);
    SV_MUST(sv_def_points(io, 1, &cells, static_cast<int64_t>(own.size()), own.data(), 0, &points));
  }
  void end() {
    SV_MUST(sv_close(file));
    SV_MUST(sv_free_decomp(points));
    SV_MUST(sv_finalize(io));
  }
  void write() {
    begin({"store=" + store});
    int var = -1;
    file =
        make_file(io, path, 0, {{"levels", levels}, {"cells", cells}}, {{"a", SV_DOUBLE, {"levels", "cells"}, &var}});
    const std::vector<double> values = right();
    SV_MUST(sv_put(file, var, points, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
    end();
  }
  /// The store's calls, of all ranks.
  int64_t calls(const std::string &summary) const {
    const std::vector<char> text = bytes_of_file(summary);
    const std::string all(text.begin(), text.end()), key = "\"reads\": ";
    const size_t at = all.find(key);
    require(at != std::string::npos, summary + " reports no reads");
    return std::atoll(all.c_str() + at + key.size());
  }
  void read(const std::string &way, const std::string &reading) {
    const std::string summary = store + "." + way + "." + reading + ".json";
    begin({"reading=" + reading, "summary=" + summary});
    file = open_file(io, path);
    const int var = var_id(file, "a");
    std::vector<double> values(own.size() * static_cast<size_t>(levels), -1);
    const double begin = MPI_Wtime();
    if (way == "get") {
      SV_MUST(sv_get(file, var, points, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
    } else if (way == "iget") {
      SV_MUST(sv_iget(file, var, points, SV_NO_RECORD, {SV_DOUBLE, values.data(), nullptr}, nullptr));
      SV_MUST(sv_wait(file, SV_ALL, nullptr, nullptr));
    } else {
      const int64_t record = SV_NO_RECORD;
      const sv_target into{SV_DOUBLE, values.data(), nullptr};
      SV_MUST(sv_mget(file, 1, &var, &points, &record, &into));
    }
    const double seconds = MPI_Wtime() - begin;
    require(values == right(), path + ": wrong values");
    end();
    if (rank != 0) return;
    const int64_t made = calls(summary);
    std::printf("%s %s %s: %.3f s, %lld calls\n", store.c_str(), way.c_str(), reading.c_str(), seconds,
                static_cast<long long>(made));
    // PnetCDF gets each run, and combines them itself.
    require(store == "pnetcdf" || made <= most_calls, path + ", " + way + ", reading: " + reading + ": too many calls");
  }
};

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t cells = number_of("CELLS", 2048);
  for (const std::string store : {"cdf", "netcdf4", "netcdf4_library", "pnetcdf"}) {
    if (store != "cdf" && !has_store(store)) continue;
    Scene s{store, number_of("LEVELS", 8), cells};
    s.write();
    for (const char *way : {"get", "iget", "mget"})
      for (const char *reading : {"auto", "self", "collective"}) s.read(way, reading);
  }
  return MPI_Finalize();
}
