// 64 bits: a variable of more than 2^32 elements, in a sparse file, and limits of the formats that are refused when
// things are defined. With the argument "put", outside the usual tests (scripts/campaigns/large): a put of more than
// 2 GiB from one rank.
// run: ranks=3 limit=60
#include <cstring>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, {"fill=false"});
  sv_file *file = nullptr;
  int var = -1;

  void create(const char *path, int flags, const Numbers &shape) {
    file = begin_file(io, path, flags, {{"y", shape[0]}, {"x", shape[1]}}, {{"large", SV_BYTE, {"y", "x"}, &var}});
  }
};

signed char value_at(int64_t y, int64_t x) { return static_cast<signed char>((y + x) % 251 - 125); }

/// Each rank puts and gets the last cells of a row far beyond element 2^32.
void sparse(Scene &s) {
  const Numbers shape{int64_t{1} << 17, (int64_t{1} << 16) + 1};
  s.create("sparse.nc", 0, shape);
  SV_MUST(sv_enddef(s.file));
  int version = 0;
  SV_MUST(sv_inq_format(s.file, &version));
  require(version == 5, "a variable of 8 GiB in CDF-" + std::to_string(version));
  const int64_t start[] = {shape[0] - s.ranks + s.rank, shape[1] - 5}, count[] = {1, 5};
  signed char put[5], got[5] = {};
  for (int x = 0; x < 5; ++x) put[x] = value_at(start[0], start[1] + x);
  SV_MUST(sv_put_vara(s.file, s.var, start, count, SV_BYTE, put, nullptr));
  SV_MUST(sv_sync(s.file));
  SV_MUST(sv_get_vara(s.file, s.var, start, count, SV_BYTE, got, nullptr));
  require(std::memcmp(put, got, sizeof put) == 0, "values beyond element 2^32 are read back wrong");
  SV_MUST(sv_close(s.file));
  if (s.rank == 0) {
    int id = -1, var = -1;
    nc(nc_open("sparse.nc", NC_NOWRITE, &id), "sparse.nc");
    nc(nc_inq_varid(id, "large", &var), "large");
    for (int64_t y = shape[0] - s.ranks; y < shape[0]; ++y) {
      const size_t from[] = {static_cast<size_t>(y), static_cast<size_t>(start[1])}, many[] = {1, 5};
      nc(nc_get_vara_schar(id, var, from, many, got), "large");
      for (int x = 0; x < 5; ++x) require(got[x] == value_at(y, start[1] + x), "netCDF-C reads another value");
    }
    nc(nc_close(id), "sparse.nc");
    std::remove("sparse.nc");
  }
}

/// Refused by sv_enddef, before any data.
void refused(Scene &s) {
  const auto ends = [&s] { return sv_enddef(s.file); };
  const auto leave = [&s] { require(sv_close(s.file) == SV_ELIMIT, "a refused file closes well"); };
  s.create("refused.nc", SV_CLASSIC, {1, int64_t{1} << 31});
  expect("a dimension of 2^31", {SV_ELIMIT, {"dimension 'x'", "2147483648", "CDF-1", "cdf5"}}, ends);
  leave();
  s.create("refused.nc", SV_64BIT_OFFSET, {1 << 17, 1 << 16});
  int other = -1;
  const int dim = 0;
  SV_MUST(sv_def_var(s.file, "behind", SV_BYTE, 1, &dim, &other));
  expect("8 GiB before another variable", {SV_ELIMIT, {"'large'", "8589934592 bytes", "CDF-2"}}, ends);
  leave();
  s.create("refused.nc", SV_64BIT_OFFSET, {2, 2});
  SV_MUST(sv_def_var(s.file, "wide", SV_INT64, 1, &dim, &other));
  expect("a type of CDF-5", {SV_ELIMIT, {"'wide'", "CDF-5"}}, ends);
  leave();
}

/// 2100 MiB from rank 0, whose rows overlap in memory: row y begins at byte y.
void put_many(Scene &s) {
  const Numbers shape{2100, 1 << 20};
  s.create("many.nc", 0, shape);
  SV_MUST(sv_enddef(s.file));
  const int64_t start[] = {0, 0}, none[] = {0, 0}, bytes[] = {1, 1};
  const int64_t *const count = s.rank == 0 ? shape.data() : none;
  std::vector<signed char> data(static_cast<size_t>(shape[0] + shape[1]));
  for (size_t i = 0; i < data.size(); ++i) data[i] = value_at(static_cast<int64_t>(i), 0);
  const std::vector<signed char> right = data;
  SV_MUST(sv_put_vara(s.file, s.var, start, count, SV_BYTE, data.data(), bytes));
  SV_MUST(sv_sync(s.file));
  std::fill(data.begin(), data.end(), static_cast<signed char>(0));
  SV_MUST(sv_get_vara(s.file, s.var, start, count, SV_BYTE, data.data(), bytes));
  // The last row ends one element before the end of the buffer.
  require(s.rank != 0 || std::equal(right.begin(), right.end() - 1, data.begin()), "2100 MiB are read back wrong");
  SV_MUST(sv_close(s.file));
  if (s.rank == 0) {
    int id = -1, var = -1;
    nc(nc_open("many.nc", NC_NOWRITE, &id), "many.nc");
    nc(nc_inq_varid(id, "large", &var), "large");
    std::vector<signed char> row(static_cast<size_t>(shape[1]));
    for (int64_t y = 0; y < shape[0]; ++y) {
      const size_t from[] = {static_cast<size_t>(y), 0}, many[] = {1, row.size()};
      nc(nc_get_vara_schar(id, var, from, many, row.data()), "large");
      require(std::equal(row.begin(), row.end(), right.begin() + y), "row " + std::to_string(y) + " is wrong");
    }
    nc(nc_close(id), "many.nc");
    std::remove("many.nc");
  }
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    Scene s;
    if (argc > 1 && std::strcmp(argv[1], "put") == 0) {
      put_many(s);
    } else {
      sparse(s);
      refused(s);
    }
    SV_MUST(sv_finalize(s.io));
  }
  return MPI_Finalize();
}
