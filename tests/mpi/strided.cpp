// Strided and mapped sub-arrays against netCDF-C: interleaved ranks, records, strides in any dimension, an empty rank,
// single values, and text.
// run: ranks=3 limit=60
// run: ranks=1 limit=60
#include <cstring>
#include <numeric>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t times = 5, height = 7, width = 24;
constexpr double untouched = -1;

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  sv_file *file = nullptr;
  int series = -1, fixed = -1, scalar = -1, text = -1;
};

double value_at(int64_t t, int64_t y, int64_t x) { return static_cast<double>((t * 100 + y) * 100 + x); }

void define(Scene &s, const char *path) {
  s.file = begin_file(s.io, path, 0, {{"t", SV_UNLIMITED}, {"y", height}, {"x", width}, {"letters", 8}},
                      {{"series", SV_FLOAT, {"t", "y", "x"}, &s.series},
                       {"fixed", SV_INT, {"y", "x"}, &s.fixed},
                       {"scalar", SV_DOUBLE, {}, &s.scalar},
                       {"text", SV_CHAR, {"letters"}, &s.text}});
  const float fill = untouched;
  const int whole_fill = -1;
  SV_MUST(sv_def_fill(s.file, s.series, &fill));
  SV_MUST(sv_def_fill(s.file, s.fixed, &whole_fill));
  SV_MUST(sv_enddef(s.file));
}

/// Records 0, 2, 4; every second row; columns in turn among the ranks: x = rank, rank + ranks, ... The caller's array
/// has x slowest (mapped: netCDF's imap).
void put_interleaved(const Scene &s) {
  const int64_t start[] = {0, 1, s.rank}, count[] = {3, 3, (width - s.rank - 1) / s.ranks + 1},
                apart[] = {2, 2, s.ranks};
  std::vector<double> data(static_cast<size_t>(count[0] * count[1] * count[2]));
  const int64_t map[] = {8 * count[1], 8, 8 * count[0] * count[1]};
  for (int64_t t = 0; t < count[0]; ++t)
    for (int64_t y = 0; y < count[1]; ++y)
      for (int64_t x = 0; x < count[2]; ++x)
        data[static_cast<size_t>((t * map[0] + y * map[1] + x * map[2]) / 8)] =
            value_at(2 * t, 1 + 2 * y, s.rank + x * s.ranks);
  SV_MUST(sv_put_vars(s.file, s.series, start, count, apart, {SV_DOUBLE, data.data(), map}));
}

/// Rows in turn among the ranks but rank 1, which has nothing, and one column in three.
void put_rows(const Scene &s) {
  const int64_t parts = std::max(1, s.ranks - 1), part = s.rank == 0 ? 0 : s.rank - 1;
  const int64_t start[] = {part, 2}, apart[] = {parts, 3};
  const int64_t count[] = {s.rank == 1 ? 0 : (height - part - 1) / parts + 1, 7};
  std::vector<short> data;
  for (int64_t y = 0; y < count[0]; ++y)
    for (int64_t x = 0; x < count[1]; ++x) data.push_back(static_cast<short>((part + y * parts) * 100 + 2 + 3 * x));
  SV_MUST(sv_put_vars(s.file, s.fixed, start, count, apart, {SV_SHORT, data.data(), nullptr}));
}

void put_single(const Scene &s) {
  const int64_t none = 0, one = s.rank == 0 ? 1 : 0;
  const double value = 2.5;
  SV_MUST(sv_put_var(s.file, s.scalar, SV_NO_RECORD, SV_DOUBLE, &value, nullptr));
  const char letters[] = "sverdrup";
  const int64_t first = s.rank == 0 ? 0 : 8, eight = s.rank == 0 ? 8 : 0;
  SV_MUST(sv_put_vara(s.file, s.text, s.rank == 0 ? &none : &first, &eight, SV_CHAR, letters, nullptr));
  // A single value: counts of 1, and of 0 on all other ranks.
  const int64_t at[] = {3, 6, 5}, count[] = {one, one, one};
  const float single = 77;
  const int64_t apart[] = {1, INT64_MAX, 7};
  SV_MUST(sv_put_vars(s.file, s.series, at, count, apart, {SV_FLOAT, &single, nullptr}));
}

void check_series(const std::string &path, const NetcdfFile &file) {
  require(file.records() == times, path + " has " + std::to_string(file.records()) + " records");
  for (int64_t t = 0; t < times; ++t) {
    const std::vector<double> found = file.values("series", {height, width}, t);
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x) {
        double right = t % 2 == 0 && y % 2 == 1 ? value_at(t, y, x) : untouched;
        if (t == 3 && y == 6 && x == 5) right = 77;
        require(found[static_cast<size_t>(y * width + x)] == right,
                path + ": series at " + std::to_string(t) + ", " + std::to_string(y) + ", " + std::to_string(x) +
                    " is " + std::to_string(found[static_cast<size_t>(y * width + x)]));
      }
  }
}

void check_file(const std::string &path) {
  const NetcdfFile file(path);
  check_series(path, file);
  const std::vector<double> fixed = file.values("fixed", {height, width}, -1);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      const bool put = x >= 2 && (x - 2) % 3 == 0 && x <= 20;
      require(fixed[static_cast<size_t>(y * width + x)] == (put ? static_cast<double>(y * 100 + x) : untouched),
              "fixed at " + std::to_string(y) + ", " + std::to_string(x) + " is wrong");
    }
  require(file.values("scalar", {}, -1)[0] == 2.5, "the scalar is wrong");
  const std::vector<double> letters = file.values("text", {8}, -1);
  require(letters[0] == 's' && letters[7] == 'p', "the text is wrong");
}

/// What sv_get_vars gives is what nc_get_vars gives.
void compare(Scene &s, const std::string &path) {
  const std::vector<Numbers> cases[] = {{{0, 0, 0}, {5, 7, 24}, {1, 1, 1}}, {{1, 1, 3}, {2, 3, 7}, {2, 2, 3}},
                                        {{4, 6, 23}, {1, 1, 1}, {9, 9, 9}}, {{0, 2, 0}, {5, 2, 24}, {1, 4, 1}},
                                        {{2, 0, 1}, {1, 7, 2}, {1, 1, 22}}, {{0, 0, 0}, {5, 0, 24}, {1, 1, 1}}};
  int id = -1;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  s.file = open_file(s.io, path);
  for (size_t c = 0; c < std::size(cases); ++c) {
    const auto &mine = cases[(c + static_cast<size_t>(s.rank)) % std::size(cases)];
    const Numbers &start = mine[0], &count = mine[1], &apart = mine[2];
    const std::vector<size_t> from(start.begin(), start.end()), many(count.begin(), count.end());
    const std::vector<ptrdiff_t> every(apart.begin(), apart.end());
    std::vector<double> found(static_cast<size_t>(product(count)) + 1, 0), right = found;
    nc(nc_get_vars_double(id, s.series, from.data(), many.data(), every.data(), right.data()), path);
    SV_MUST(
        sv_get_vars(s.file, s.series, start.data(), count.data(), apart.data(), {SV_DOUBLE, found.data(), nullptr}));
    require(found == right, "strided case " + std::to_string(c) + " differs from what netCDF-C reads");
  }
  SV_MUST(sv_close(s.file));
  nc(nc_close(id), path);
}

/// More single cells than fit one batch.
void many_cells(Scene &s) {
  const int64_t each = 33000 / s.ranks + 1000, length = 2 * each * s.ranks;
  int var = -1;
  s.file = make_file(s.io, "cells.nc", 0, {{"cells", length}}, {{"cells", SV_INT, {"cells"}, &var}});
  const int64_t start = 2 * s.rank, apart = 2 * s.ranks;
  std::vector<int> data, found(static_cast<size_t>(each));
  for (int64_t i = 0; i < each; ++i) data.push_back(static_cast<int>(start + i * apart));
  SV_MUST(sv_put_vars(s.file, var, &start, &each, &apart, {SV_INT, data.data(), nullptr}));
  SV_MUST(sv_get_vars(s.file, var, &start, &each, &apart, {SV_INT, found.data(), nullptr}));
  require(found == data, "many cells are read back wrong");
  SV_MUST(sv_close(s.file));
  if (s.rank != 0) return;
  const std::vector<double> all = NetcdfFile("cells.nc").values("cells", {length}, -1);
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i] != (i % 2 == 0 ? static_cast<double>(i) : NC_FILL_INT))
      give_up("cell " + std::to_string(i) + " is wrong");
}

void misuse(const Scene &s) {
  const int64_t start[] = {0, 0}, two[] = {2, 2}, zero[] = {1, 0}, far[] = {1, 24};
  const std::vector<int> data(4, 0);
  const auto put = [&](const int64_t *apart) {
    return sv_put_vars(s.file, s.fixed, start, two, apart, {SV_INT, data.data(), nullptr});
  };
  expect("a stride of 0", {SV_EINVAL, {"every 0", "'x'", "'fixed'"}}, [&] { return put(zero); });
  expect("beyond the end", {SV_EINVAL, {"every 24", "which has 24"}}, [&] { return put(far); });
  if (s.ranks == 1) return;
  // Progressions that meet in one cell only: 0, 6, 12, 18 and 3, 8, 13, 18 (and 1, 3).
  const int64_t first[] = {0, s.rank == 0 ? 0 : 3}, count[] = {1, 4}, apart[] = {1, s.rank == 0 ? 6 : 5};
  const int64_t none[] = {0, 0};
  expect("a cell in common", {SV_ELAYOUT, {"ranks 0 and 1", "[0:1, 18:19]", "'fixed'"}}, [&] {
    return sv_put_vars(s.file, s.fixed, first, s.rank > 1 ? none : count, apart, {SV_INT, data.data(), nullptr});
  });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    Scene s;
    define(s, "strided.nc");
    misuse(s);
    put_interleaved(s);
    put_rows(s);
    put_single(s);
    SV_MUST(sv_close(s.file));
    at_root([&] { check_file("strided.nc"); });
    compare(s, "strided.nc");
    many_cells(s);
    SV_MUST(sv_finalize(s.io));
  }
  return MPI_Finalize();
}
