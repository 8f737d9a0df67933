// Ranks that put and get by themselves, each as often as it likes: fixed variables, new records, strides, several
// regions, values that do not fit, a put that fails, other calls that end the time. Read back with netCDF-C.
// run: ranks=3 limit=60
// run: ranks=3 limit=60 name=behind behind
// run: ranks=1 limit=60
#include <netcdf.h>

#include <vector>

#include "support/check.hpp"
#include "support/test_file.hpp"

namespace {

using namespace svtest;

constexpr int64_t rows = 6, columns = 5;

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "fill=false", "out_of_range=fill", "overlap=allow"});
  sv_file *file = nullptr;
  int fixed = -1, series = -1;
};

void define(Scene &s, const char *path) {
  s.file = make_file(s.io, path, 0, {{"t", SV_UNLIMITED}, {"y", rows}, {"x", columns}},
                     {{"fixed", SV_INT, {"y", "x"}, &s.fixed}, {"series", SV_SHORT, {"t", "y", "x"}, &s.series}});
}

void put(Scene &s, int var, const std::vector<int64_t> &start, const std::vector<int64_t> &count,
         const std::vector<int> &values) {
  sv_request request = SV_NO_REQUEST;
  SV_MUST(sv_iput_vara(s.file, var, start.data(), count.data(), {SV_INT, values.data(), nullptr}, &request));
  SV_MUST(sv_wait_indep(s.file, 1, &request, nullptr));
  require(request == SV_NO_REQUEST, "the request is still one");
}

int value_of(int64_t row, int64_t column) { return static_cast<int>(10 * row + column); }

/// Rank r puts the rows r, r + ranks, ...; rank 1 nothing.
void put_rows(Scene &s) {
  SV_MUST(sv_begin_indep(s.file));
  for (int64_t row = s.rank; row < rows; row += s.ranks) {
    std::vector<int> values;
    for (int64_t column = 0; column < columns; ++column) values.push_back(value_of(row, column));
    if (s.rank != 1) put(s, s.fixed, {row, 0}, {1, columns}, values);
    if (s.rank != 1) {  // and reads it at once
      std::vector<int> back(columns, -1);
      const int64_t start[2] = {row, 0}, count[2] = {1, columns};
      sv_request request = SV_NO_REQUEST;
      SV_MUST(sv_iget_vara(s.file, s.fixed, start, count, {SV_INT, back.data(), nullptr}, &request));
      SV_MUST(sv_wait_indep(s.file, 1, &request, nullptr));
      require(back == values, "a rank does not read what it has put");
    }
  }
  SV_MUST(sv_end_indep(s.file));
}

/// Only the last rank makes records, of which the others hear at the end.
void put_records(Scene &s) {
  int64_t records = -1;
  int64_t range_errors = -1;
  SV_MUST(sv_begin_indep(s.file));
  if (s.rank == s.ranks - 1) {
    put(s, s.series, {2, 1, 0}, {1, 1, columns}, {1, 2, 3, 100000, 5});
    SV_MUST(sv_inq_dim(s.file, 0, nullptr, &records));
    require(records == 3, "the rank that made the records does not know of them");
    SV_MUST(sv_inq_range_errors(s.file, &range_errors));
    require(range_errors == 1, "a value that does not fit is not counted");
  }
  SV_MUST(sv_sync(s.file));  // ends the time, too
  SV_MUST(sv_inq_dim(s.file, 0, nullptr, &records));
  require(records == 3, "the ranks do not know of all records");
  require(sv_wait_indep(s.file, 0, nullptr, nullptr) == SV_EORDER, "a rank alone, outside the time");
}

void check(const Scene &s, const char *path) {
  int file = -1, values[rows * columns];
  short row[columns];
  if (s.rank != 0) return;
  require(nc_open(path, NC_NOWRITE, &file) == NC_NOERR && nc_get_var_int(file, s.fixed, values) == NC_NOERR, path);
  for (int64_t i = 0; i < rows * columns; ++i) {
    const bool never = s.ranks > 1 && i / columns % s.ranks == 1;
    require(values[i] == (never ? 0 : value_of(i / columns, i % columns)), "a value of the variable without records");
  }
  const size_t start[3] = {2, 1, 0}, count[3] = {1, 1, columns};
  require(nc_get_vara_short(file, s.series, start, count, row) == NC_NOERR, "the last record");
  const short wanted[columns] = {1, 2, 3, NC_FILL_SHORT, 5};
  require(std::vector(row, row + columns) == std::vector(wanted, wanted + columns), "the values of the last record");
  require(nc_close(file) == NC_NOERR, path);
}

/// With fill values, no rank alone makes a record, since no rank would fill it.
void refuse_records(const Scene &s) {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  Scene other = s;
  other.io = io;
  define(other, "filled.nc");
  SV_MUST(sv_begin_indep(other.file));
  require(sv_begin_indep(other.file) == SV_EORDER, "the time begins twice");
  const int64_t begin[3] = {0, 0, 0}, count[3] = {1, 1, 1};
  const int one = 1;
  sv_request request = SV_NO_REQUEST;
  SV_MUST(sv_iput_vara(other.file, other.series, begin, count, {SV_INT, &one, nullptr}, &request));
  require(sv_wait_indep(other.file, 1, &request, nullptr) == SV_ENOTSUP, "a record that nobody fills");
  SV_MUST(sv_close(other.file));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Scene s;
  define(s, "alone.nc");
  put_rows(s);
  put_records(s);
  SV_MUST(sv_close(s.file));
  SV_MUST(sv_flush(s.io, SV_WRITTEN));
  check(s, "alone.nc");
  refuse_records(s);
  SV_MUST(sv_finalize(s.io));
  MPI_Finalize();
  return 0;
}
