// Requests that put the same cells: both are refused and the others carried out, or (overlap: allow) the later one
// wins. Requests that cannot be carried out name themselves, and leave the others and the file as they are. Recorded
// puts are carried out when a call needs them.
// run: ranks=3 limit=60
// run: ranks=4 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=2 limit=60 name=netcdf4_library env=SV_STORE=netcdf4_library
// run: ranks=2 limit=60 name=netcdf4 env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1
#include <cstring>
#include <string>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t height = 4, width = 12;

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  sv_context *io = nullptr;
  sv_file *file = nullptr;
  int a = -1, b = -1, small = -1;

  Scene(const char *path, std::vector<std::string> options) {
    options.push_back("transport.window=1MiB");
    io = start(MPI_COMM_WORLD, options);
    file = begin_file(
        io, path, 0, {{"time", SV_UNLIMITED}, {"y", height}, {"x", width}},
        {{"a", SV_INT, {"y", "x"}, &a}, {"b", SV_DOUBLE, {"time", "y", "x"}, &b}, {"small", SV_BYTE, {"x"}, &small}});
    const int fill = -1;
    SV_MUST(sv_def_fill(file, a, &fill));
    SV_MUST(sv_enddef(file));
  }
  void close() {
    SV_MUST(sv_close(file));
    SV_MUST(sv_finalize(io));
  }
};

std::vector<double> values_in(const char *path, const char *name, const Numbers &shape, int64_t record) {
  return NetcdfFile(path).values(name, shape, record);
}

/// Row `row` from column `first`, `count` cells of `value`.
sv_request put_row(const Scene &s, int64_t row, int64_t first, int64_t count, const std::vector<int> &value) {
  const int64_t start[] = {row, first}, counts[] = {1, count};
  sv_request request = SV_NO_REQUEST;
  SV_MUST(sv_iput_vara(s.file, s.a, start, counts, {SV_INT, value.data(), nullptr}, &request));
  return request;
}

void refused() {
  Scene s("refused.nc", {});
  const std::vector<int> value(width, 100 + s.rank);
  // Row 0: ranks 0 and 1 share column 5. Row 1: every rank its own cells.
  std::vector<sv_request> requests{
      put_row(s, 1, s.rank * 3, 3, value),
      s.rank < 2 ? put_row(s, 0, s.rank * 5, 6 - s.rank, value) : put_row(s, 2, s.rank - 2, 1, value)};
  int statuses[] = {-1, -1};
  expect("sv_wait", {SV_ELAYOUT, {"request 2 of rank 0", "request 2 of rank 1", "'a'", "overlap"}},
         [&] { return sv_wait(s.file, 2, requests.data(), statuses); });
  require(statuses[0] == SV_OK, "the request that is right was not carried out");
  require(statuses[1] == (s.rank < 2 ? SV_ELAYOUT : SV_OK), "another request was refused");
  require(requests[0] == SV_NO_REQUEST && requests[1] == SV_NO_REQUEST, "the handles are still there");
  const int64_t start[] = {3, 0}, count[] = {1, width};
  const int64_t *const starts[] = {start, start}, *const counts[] = {count, count};
  const int vars[] = {s.a, s.a};
  const sv_source row{SV_INT, value.data(), nullptr}, values[] = {row, row};
  expect("sv_mput_vara", {SV_ELAYOUT, {"'a'"}},
         [&] { return sv_mput_vara(s.file, s.rank == 0 ? 2 : 0, vars, starts, counts, values); });
  s.close();
  if (s.rank != 0) return;
  const std::vector<double> found = values_in("refused.nc", "a", {height, width}, -1);
  for (int64_t x = 0; x < width; ++x) {
    require(found[static_cast<size_t>(x)] == -1, "a refused request was written");
    require(found[static_cast<size_t>(width + x)] == (x < 3 * s.ranks ? static_cast<double>(100 + x / 3) : -1),
            "a request that is right is not there");
    require(found[static_cast<size_t>(3 * width + x)] == -1, "of a refused call something was written");
  }
}

void later_wins() {
  Scene s("later.nc", {"overlap=allow"});
  const std::vector<int> earlier(width, 10 + s.rank), later(width, 20 + s.rank);
  put_row(s, 0, 0, width, earlier);  // all ranks: the highest wins
  put_row(s, 0, 2, 4, later);        // and its later request over its earlier one
  put_row(s, 1, s.rank, 2, earlier);
  SV_MUST(sv_wait(s.file, SV_ALL, nullptr, nullptr));
  s.close();
  if (s.rank != 0) return;
  const std::vector<double> found = values_in("later.nc", "a", {height, width}, -1);
  for (int64_t x = 0; x < width; ++x) {
    const double top = (x >= 2 && x < 6 ? 20 : 10) + s.ranks - 1;
    require(found[static_cast<size_t>(x)] == top, "another request won");
    const double second = x < s.ranks - 1 ? static_cast<double>(10 + x) : x <= s.ranks ? 10 + s.ranks - 1 : -1;
    require(found[static_cast<size_t>(width + x)] == second, "of neighbours, another request won");
  }
}

/// A value that does not fit makes its request fail, and no other.
void range_error() {
  Scene s("misfit.nc", {"out_of_range=error"});
  const int64_t start = s.rank * 2, count = 2;
  const int good[] = {1, 2}, bad[] = {3, 300};
  const std::vector<int> row(width, s.rank);
  std::vector<sv_request> requests(2, SV_NO_REQUEST);
  requests[0] = put_row(s, s.rank % height, 0, width, row);
  SV_MUST(sv_iput_vara(s.file, s.small, &start, &count, {SV_INT, s.rank == 1 ? bad : good, nullptr}, &requests[1]));
  int statuses[] = {-1, -1};
  expect("sv_wait", {SV_ERANGE, {"'small'", "rank 1", "request 2 of 2", "300"}},
         [&] { return sv_wait(s.file, 2, requests.data(), statuses); });
  require(statuses[0] == SV_OK && statuses[1] == (s.rank == 1 ? SV_ERANGE : SV_OK), "other requests failed");
  // Reading beyond the records, together with a right get.
  const int64_t from[] = {5, 0, 0}, one[] = {1, 1, 1}, zero[] = {0, 0}, cell[] = {1, 1};
  double beyond = -7;
  int there = -7;
  SV_MUST(sv_iget_vara(s.file, s.b, from, one, {SV_DOUBLE, &beyond, nullptr}, &requests[0]));
  SV_MUST(sv_iget_vara(s.file, s.a, zero, cell, {SV_INT, &there, nullptr}, &requests[1]));
  expect("sv_wait for gets", {SV_EINVAL, {"'b'", "'time'"}},
         [&] { return sv_wait(s.file, 2, requests.data(), statuses); });
  require(statuses[0] == SV_EINVAL && statuses[1] == SV_OK, "other gets failed");
  require(there == (s.ranks > 4 ? 4 : 0) && beyond == -7, "the get that is right has another value");
  s.close();
  if (s.rank != 0) return;
  const std::vector<double> found = values_in("misfit.nc", "small", {width}, -1);
  require(found[0] == 1 && found[1] == 2 && found[2] != 3 && found[3] != 44, "the put that does not fit was written");
}

/// combine: step: values can be read back at once, put again, and is committed with the step; puts that ranks do
/// not make alike are an error.
void recorded() {
  Scene s("recorded.nc", {"combine=step"});
  sv_decomp *decomp = nullptr;
  const int64_t shape[] = {height, width};
  int64_t start[] = {0, 0}, count[] = {height, 0};
  SV_MUST(sv_block(width, s.ranks, s.rank, &start[1], &count[1]));
  SV_MUST(sv_def_decomp(s.io, 2, shape, start, count, nullptr, &decomp));
  std::vector<double> mine(static_cast<size_t>(height * count[1]), s.rank), back(mine.size(), -1);
  SV_MUST(sv_put(s.file, s.b, decomp, 0, SV_DOUBLE, mine.data(), nullptr));
  std::fill(mine.begin(), mine.end(), 7 + s.rank);  // the array may be reused at once
  SV_MUST(sv_put(s.file, s.b, decomp, 1, SV_DOUBLE, mine.data(), nullptr));
  SV_MUST(sv_end_step(s.io));
  SV_MUST(sv_get(s.file, s.b, decomp, 0, SV_DOUBLE, back.data(), nullptr));
  require(back == std::vector<double>(back.size(), s.rank), "a recorded put reads as something else");
  SV_MUST(sv_put(s.file, s.b, decomp, 1, SV_DOUBLE, mine.data(), nullptr));
  std::fill(mine.begin(), mine.end(), 30 + s.rank);
  SV_MUST(sv_put(s.file, s.b, decomp, 1, SV_DOUBLE, mine.data(), nullptr));  // again: the last one counts
  const signed char bytes[width] = {1, 2, 3};
  SV_MUST(sv_put_var(s.file, s.small, SV_NO_RECORD, SV_BYTE, bytes, nullptr));
  const int64_t row[] = {s.rank % height, 0}, one_row[] = {s.rank < height ? 1 : 0, width};
  const std::vector<int> line(width, s.rank);
  SV_MUST(sv_put_vara(s.file, s.a, row, one_row, SV_INT, line.data(), nullptr));
  SV_MUST(sv_end_step(s.io));
  // One rank makes a wrong put: it gets the error at once, all at the end of the step; the right puts are there.
  SV_MUST(sv_put(s.file, s.b, decomp, 2, SV_DOUBLE, mine.data(), nullptr));
  const int status = sv_put(s.file, s.b, decomp, 3, SV_DOUBLE, s.rank == 1 ? nullptr : mine.data(), nullptr);
  require(status == (s.rank == 1 ? SV_EINVAL : SV_OK), "a null pointer was recorded");
  expect("sv_end_step", {SV_EINVAL, {"'b'", "rank 1", "null"}}, [&] { return sv_end_step(s.io); });
  // Different puts.
  SV_MUST(sv_put(s.file, s.b, decomp, s.rank == 0 ? 4 : 5, SV_DOUBLE, mine.data(), nullptr));
  expect("sv_end_step after different puts", {SV_ERANKS, {"record 4", "record 5"}}, [&] { return sv_end_step(s.io); });
  s.close();
  if (s.rank != 0) return;
  const NetcdfFile file("recorded.nc");
  require(file.records() == 3, "the file has " + std::to_string(file.records()) + " records");
  const auto owner = [&](int64_t x) {
    int rank = 0;
    for (int64_t first = 0, n = 0; rank < s.ranks; ++rank) {
      SV_MUST(sv_block(width, s.ranks, rank, &first, &n));
      if (x < first + n) break;
    }
    return rank;
  };
  const std::vector<double> first = file.values("b", {height, width}, 0), again = file.values("b", {height, width}, 1),
                            right = file.values("b", {height, width}, 2), a = file.values("a", {height, width}, -1);
  for (int64_t x = 0; x < width; ++x) {
    const auto at = static_cast<size_t>(x);
    require(first[at] == owner(x) && again[at] == 30 + owner(x) && right[at] == 30 + owner(x), "other values of 'b'");
    require(a[at] == 0 && a[width + at] == (s.ranks > 1 ? 1 : -1), "other values of 'a'");
  }
  require(file.values("small", {width}, -1)[2] == 3, "other values of 'small'");
}

/// Calls of which nothing is left to be carried out.
void nothing_left() {
  Scene s("nothing.nc", {});
  const std::vector<int> value(width, 100 + s.rank);
  const int64_t start[] = {0, 0}, count[] = {0, width};
  const int64_t *const starts[] = {start}, *const counts[] = {count};
  const sv_source row{SV_INT, value.data(), nullptr};
  SV_MUST(sv_mput_vara(s.file, 1, &s.a, starts, counts, &row));
  SV_MUST(sv_iput_vara(s.file, s.a, start, count, row, nullptr));
  SV_MUST(sv_put_varn(s.file, s.a, 1, starts, counts, SV_INT, value.data()));
  SV_MUST(sv_wait(s.file, SV_ALL, nullptr, nullptr));
  put_row(s, 0, 0, width, value);  // the same on every rank, and nothing else
  expect("sv_wait for nothing but rivals", {SV_ELAYOUT, {"'a'"}},
         [&] { return sv_wait(s.file, SV_ALL, nullptr, nullptr); });
  const std::vector<int> copy(height * width, 5);
  SV_MUST(sv_iput_var(s.file, s.a, SV_NO_RECORD, {SV_INT, copy.data(), nullptr}, nullptr));
  put_row(s, s.rank % height, 0, 1, value);
  expect("sv_wait for rivals of copies", {SV_ELAYOUT, {"'a'"}},
         [&] { return sv_wait(s.file, SV_ALL, nullptr, nullptr); });
  s.close();
}

/// Sub-arrays of one call: of shared cells, the highest rank's value is there, in records and with strides, too.
void subarrays(const std::vector<std::string> &options) {
  Scene s("subarrays.nc", options);
  const int64_t apart[] = {1, 2}, apart_in_records[] = {2, 1, 1};
  const int64_t row[] = {0, s.rank}, four[] = {1, 4}, strided[] = {1, 0}, every_other[] = {1, width / 2};
  const std::vector<int> value(width, 100 + s.rank);
  SV_MUST(sv_put_vara(s.file, s.a, row, four, SV_INT, value.data(), nullptr));
  SV_MUST(sv_put_vars(s.file, s.a, strided, every_other, apart, {SV_INT, value.data(), nullptr}));
  const int64_t start[] = {0, 0, s.rank}, count[] = {2, 1, 4};
  const std::vector<double> values(8, 200 + s.rank);
  SV_MUST(sv_put_vara(s.file, s.b, start, count, SV_DOUBLE, values.data(), nullptr));
  SV_MUST(sv_put_vars(s.file, s.b, start, count, apart_in_records, {SV_DOUBLE, values.data(), nullptr}));
  SV_MUST(sv_end_step(s.io));
  s.close();
  if (s.rank != 0) return;
  const std::vector<double> a = values_in("subarrays.nc", "a", {height, width}, -1),
                            second = values_in("subarrays.nc", "b", {height, width}, 1),
                            third = values_in("subarrays.nc", "b", {height, width}, 2);
  for (int64_t x = 0; x < s.ranks + 3; ++x) {
    const auto at = static_cast<size_t>(x);
    const auto highest = static_cast<double>(std::min<int64_t>(x, s.ranks - 1));
    require(a[at] == 100 + highest, "another rank wins a cell of 'a'");
    require(second[at] == 200 + highest && third[at] == 200 + highest, "another rank wins a cell of 'b'");
    require(a[width + at] == (x % 2 == 0 ? 100 + s.ranks - 1 : -1), "another rank wins a cell of a strided sub-array");
  }
}

/// combine: step, where arguments of one rank are wrong: it hears of it, all do when the puts are carried out, and the
/// other puts are there.
void wrong_alone() {
  Scene s("alone.nc", {"combine=step"});
  const signed char bytes[width] = {1, 2, 3};
  const int status = sv_put_var(s.file, s.small, SV_NO_RECORD, s.rank == 1 ? 99 : SV_BYTE, bytes, nullptr);
  require((status == SV_OK) == (s.rank != 1), "a wrong type was recorded");
  expect("sv_end_step after a single wrong put", {SV_ETYPE, {"'small'", "rank 1"}}, [&] { return sv_end_step(s.io); });
  SV_MUST(sv_put_var(s.file, s.small, SV_NO_RECORD, SV_BYTE, bytes, nullptr));
  const int64_t start[] = {0, 0}, count[] = {1, 1};
  int got = -7;
  expect("sv_get_vara, wrong on one rank, after a recorded put", {SV_ETYPE, {"rank 1"}},
         [&] { return sv_get_vara(s.file, s.a, start, count, s.rank == 1 ? 99 : SV_INT, &got, nullptr); });
  s.close();
  if (s.rank == 0)
    require(values_in("alone.nc", "small", {width}, -1)[2] == 3, "a recorded put was lost with another call's error");
  Scene none("none.nc", {"combine=step", "combine.memory=0"});
  expect("sv_put_var without room to record", {SV_EINVAL, {"'small'", "rank 1", "null"}}, [&] {
    return sv_put_var(none.file, none.small, SV_NO_RECORD, SV_BYTE, none.rank == 1 ? nullptr : bytes, nullptr);
  });
  none.close();
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (const char *const store = std::getenv("SV_STORE"); store != nullptr && !has_store(store)) return MPI_Finalize();
  refused();
  later_wins();
  range_error();
  recorded();
  nothing_left();
  wrong_alone();
  for (const char *combine : {"combine=off", "combine=step"}) subarrays({"overlap=allow", combine});
  MPI_Finalize();
  return 0;
}
