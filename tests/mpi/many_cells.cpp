// Random requests of single cells, small boxes and strided ones, of several variables and records, compared with the
// same requests cell by cell. Those that share cells are refused, and no others; or (overlap: allow) the later one
// wins, and the higher rank. Combined gets, also of cells that occur twice, return the values of the file.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
// run: ranks=5 limit=60 args=writers=3
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=5 limit=60 name=alone args=reading=self
// run: ranks=4 limit=60 name=servers args=async=servers:1
// run: ranks=5 limit=60 name=behind behind
#include <map>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/random_case.hpp"

namespace {

using namespace svtest;

constexpr int64_t records = 3, rows = 6, columns = 11;
constexpr double nothing = -1;

struct Region {
  Numbers start, count, stride;
};

struct Request {
  int rank, variable;
  std::vector<Region> regions;
  double first;  // value of its first cell; each next one has one more
  bool refused = false;
};

/// 0: (row, column) int; 1: (record, row, column) double; 2: (record, column) short.
Numbers shape_of(int variable) {
  if (variable == 0) return {rows, columns};
  if (variable == 1) return {records, rows, columns};
  return {records, columns};
}

Region random_region(Random &random, const Numbers &shape, bool cell) {
  Region region;
  for (const int64_t length : shape) {
    region.start.push_back(random.between(0, length - 1));
    const int64_t left = length - region.start.back(), stride = random.chance(80) ? 1 : random.between(1, 3);
    region.stride.push_back(stride);
    region.count.push_back(cell ? 1 : random.between(0, std::min<int64_t>(3, (left - 1) / stride + 1)));
  }
  return region;
}

/// A request is a list of cells, or of boxes, or one strided region.
Request random_request(Random &random, int ranks, double first) {
  Request request{static_cast<int>(random.between(0, ranks - 1)), static_cast<int>(random.between(0, 2)), {}, first};
  const bool cells = random.chance(60);
  const int64_t n = cells ? random.between(0, 12) : random.between(1, 2);
  for (int64_t i = 0; i < n; ++i) request.regions.push_back(random_region(random, shape_of(request.variable), cells));
  if (request.regions.size() > 1)
    for (Region &each : request.regions) {  // lists have no strides
      for (size_t d = 0; d < each.stride.size(); ++d) each.stride[d] = 1;
    }
  return request;
}

/// Calls visit(cell, how many before it) for all of a request, in the order of its values.
template <class Visit>
void for_cells(const Request &request, Visit &&visit) {
  int64_t number = 0;
  for (const Region &region : request.regions)
    for_each_index(region.count, [&](const Numbers &at) {
      Numbers cell;
      for (size_t d = 0; d < at.size(); ++d) cell.push_back(region.start[d] + at[d] * region.stride[d]);
      visit(linear(shape_of(request.variable), cell), number++);
    });
}

using Expected = std::map<int, std::vector<double>>;  // by variable

struct Calls {
  sv_file *file = nullptr;
  int rank = 0;
  std::vector<sv_request> requests;

  /// `values`: as many as the request has cells.
  void post(const Request &request, std::vector<double> &values, bool reads, Random &own) {
    std::vector<const int64_t *> starts, counts;
    for (const Region &each : request.regions) {
      starts.push_back(each.start.data());
      counts.push_back(each.count.data());
    }
    const auto n = static_cast<int>(starts.size());
    sv_request made = SV_NO_REQUEST;
    if (n == 1) {
      const Region &one = request.regions.front();
      SV_MUST(reads ? sv_iget_vars(file, request.variable, starts[0], counts[0], one.stride.data(),
                                   {SV_DOUBLE, values.data(), nullptr}, &made)
                    : sv_iput_vars(file, request.variable, starts[0], counts[0], one.stride.data(),
                                   {SV_DOUBLE, values.data(), nullptr}, &made));
    } else if (reads) {
      SV_MUST(sv_iget_varn(file, request.variable, n, starts.data(), counts.data(), {SV_DOUBLE, values.data(), nullptr},
                           &made));
    } else if (own.chance(40)) {
      SV_MUST(sv_bput_varn(file, request.variable, n, starts.data(), counts.data(), {SV_DOUBLE, values.data(), nullptr},
                           &made));
      std::fill(values.begin(), values.end(), 77);
    } else {
      SV_MUST(sv_iput_varn(file, request.variable, n, starts.data(), counts.data(), {SV_DOUBLE, values.data(), nullptr},
                           &made));
    }
    requests.push_back(made);
  }
};

std::vector<double> values_of(const Request &request) {
  std::vector<double> values;
  for_cells(request, [&](int64_t, int64_t number) { values.push_back(request.first + static_cast<double>(number)); });
  return values;
}

/// The result of puts by one wait. Where overlaps are refused, marks those that are.
void expect_puts(std::vector<Request> &all, bool allow, Expected &expected) {
  std::map<std::pair<int, int64_t>, int> claims;
  for (const Request &each : all) for_cells(each, [&](int64_t cell, int64_t) { ++claims[{each.variable, cell}]; });
  for (Request &each : all)
    for_cells(each, [&](int64_t cell, int64_t) {
      each.refused = each.refused || (!allow && claims[{each.variable, cell}] > 1);
    });
  std::vector<const Request *> order;
  for (const Request &each : all) order.push_back(&each);
  std::stable_sort(order.begin(), order.end(), [](const Request *a, const Request *b) { return a->rank < b->rank; });
  for (const Request *each : order)
    if (!each->refused)
      for_cells(*each, [&](int64_t cell, int64_t number) {
        expected[each->variable][static_cast<size_t>(cell)] = each->first + static_cast<double>(number);
      });
}

void put_all(Calls &calls, std::vector<Request> &all, Random &own, const std::string &description) {
  std::vector<std::vector<double>> arrays;
  std::vector<bool> refused;
  bool any_refused = false;
  arrays.reserve(all.size());
  for (const Request &each : all) {
    any_refused = any_refused || each.refused;
    if (each.rank != calls.rank) continue;
    arrays.push_back(values_of(each));
    calls.post(each, arrays.back(), false, own);
    refused.push_back(each.refused);
  }
  std::vector<int> statuses(calls.requests.size(), -1);
  const int status =
      sv_wait(calls.file, static_cast<int>(calls.requests.size()), calls.requests.data(), statuses.data());
  require(status == (any_refused ? SV_ELAYOUT : SV_OK), description + ": sv_wait returned " + std::to_string(status));
  for (size_t i = 0; i < statuses.size(); ++i)
    require(statuses[i] == (refused[i] ? SV_ELAYOUT : SV_OK), description + ": a request was refused, or was not");
  calls.requests.clear();
}

void get_all(Calls &calls, const std::vector<Request> &all, const Expected &expected, Random &own,
             const std::string &description) {
  std::vector<std::vector<double>> arrays;
  for (const Request &each : all) arrays.push_back(values_of(each));
  for (size_t i = 0; i < all.size(); ++i) calls.post(all[i], arrays[i], true, own);
  SV_MUST(sv_wait(calls.file, static_cast<int>(calls.requests.size()), calls.requests.data(), nullptr));
  for (size_t i = 0; i < all.size(); ++i)
    for_cells(all[i], [&](int64_t cell, int64_t number) {
      const double right = expected.at(all[i].variable)[static_cast<size_t>(cell)];
      require(arrays[i][static_cast<size_t>(number)] == right,
              description + ": got " + std::to_string(arrays[i][static_cast<size_t>(number)]) + " of variable " +
                  std::to_string(all[i].variable) + ", cell " + std::to_string(cell) + ", not " +
                  std::to_string(right));
    });
}

sv_file *created(sv_context *io) {
  int time = -1, row = -1, column = -1, id = -1;
  sv_file *file = begin_file(io, "cells.nc", 0,
                             {{"time", SV_UNLIMITED, &time}, {"row", rows, &row}, {"column", columns, &column}}, {});
  const int a[] = {row, column}, b[] = {time, row, column}, c[] = {time, column};
  SV_MUST(sv_def_var(file, "a", SV_INT, 2, a, &id));
  SV_MUST(sv_def_var(file, "b", SV_DOUBLE, 3, b, &id));
  SV_MUST(sv_def_var(file, "c", SV_SHORT, 2, c, &id));
  const int fill_a = -1;
  const double fill_b = -1;
  const short fill_c = -1;
  SV_MUST(sv_def_fill(file, 0, &fill_a));
  SV_MUST(sv_def_fill(file, 1, &fill_b));
  SV_MUST(sv_def_fill(file, 2, &fill_c));
  SV_MUST(sv_enddef(file));
  return file;
}

void try_case(sv_context *io, uint64_t seed, int rank, int ranks, bool allow) {
  const std::string description = "seed " + std::to_string(seed) + (allow ? ", allowed" : ", refused");
  Random random(seed), own(seed * 100 + static_cast<uint64_t>(rank));
  Expected expected;
  for (int v = 0; v < 3; ++v) expected[v].assign(static_cast<size_t>(product(shape_of(v))), nothing);
  Calls calls{created(io), rank, {}};
  double first = 1;
  // The second wait finds values there, and leaves them where it puts nothing.
  for (int wait = 0; wait < 2; ++wait) {
    std::vector<Request> puts;
    for (int64_t n = random.between(0, allow ? 12 : 5); n > 0; --n) {
      puts.push_back(random_request(random, ranks, first));
      first += 200;
    }
    expect_puts(puts, allow, expected);
    put_all(calls, puts, own, description);
  }
  const double last = 5;  // makes all records
  const int64_t at[] = {records - 1, 0}, one[] = {1, 1}, none[] = {0, 0};
  SV_MUST(sv_put_vara(calls.file, 2, at, rank == 0 ? one : none, SV_DOUBLE, &last, nullptr));
  expected[2][(records - 1) * columns] = last;
  SV_MUST(sv_end_step(io));
  SV_MUST(sv_close(calls.file));
  calls.file = open_file(io, "cells.nc");
  std::vector<Request> gets;
  for (int64_t n = own.between(0, 8); n > 0; --n) gets.push_back(random_request(own, ranks, 0));
  get_all(calls, gets, expected, own, description);
  SV_MUST(sv_close(calls.file));
}

void run(const std::vector<std::string> &more, bool allow) {
  std::vector<std::string> options{"transport.window=1MiB", "async.memory=4MiB",
                                   std::string("overlap=") + (allow ? "allow" : "error")};
  options.insert(options.end(), more.begin(), more.end());
  sv_context *io = start(MPI_COMM_WORLD, options);
  const MPI_Comm comm = model_ranks(io);
  if (comm != MPI_COMM_NULL)
    for (uint64_t seed = 1; seed <= 12; ++seed) try_case(io, seed, rank_in(comm), size_of(comm), allow);
  SV_MUST(sv_finalize(io));
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const std::vector<std::string> more(argv + 1, argv + argc);
  run(more, true);
  run(more, false);
  return MPI_Finalize();
}
