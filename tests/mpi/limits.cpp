// Arguments at and beyond their limits, and the properties of a communicator of the model's own.
// run: ranks=3 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=1 limit=60
#include <unistd.h>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

const Numbers shape{40, 50};

/// Grids and records of impossible sizes.
void sizes(sv_context *io, sv_file *file, int field) {
  const int64_t nothing[] = {0, 0}, negative[] = {-4, -5}, huge[] = {int64_t{1} << 40, int64_t{1} << 40};
  const sv_decomp_options masked{nullptr, nullptr, SV_MASKED};
  sv_decomp *decomp = nullptr;
  expect("negative lengths", {SV_EINVAL, {"-4"}},
         [&] { return sv_def_decomp(io, 2, negative, nothing, nothing, &masked, &decomp); });
  expect("too many cells", {SV_ELIMIT, {"2^63"}},
         [&] { return sv_def_decomp(io, 2, huge, nothing, nothing, &masked, &decomp); });
  const std::vector<double> data(static_cast<size_t>(product(shape)));
  expect("a record beyond those of CDF-2", {SV_ELIMIT, {"'field'", "limits.nc", "2147483647"}},
         [&] { return sv_put_var(file, field, 2147483647, SV_DOUBLE, data.data(), nullptr); });
  expect("a sub-array beyond them", {SV_EINVAL, {"'time'", "'field'", "limits.nc"}}, [&] {
    const int64_t start[] = {INT64_MAX - 1, 0, 0}, count[] = {3, 1, 1};
    return sv_put_vara(file, field, start, count, SV_DOUBLE, data.data(), nullptr);
  });
}

void definitions(sv_context *io, sv_file *file, int field) {
  const float wrong_type = 1;
  require(sv_put_att(file, field, "_FillValue", SV_FLOAT, 1, &wrong_type) == SV_ETYPE, "_FillValue of another type");
  const double two[] = {1, 2};
  require(sv_put_att(file, field, "_FillValue", SV_DOUBLE, 2, two) == SV_ETYPE, "two values as _FillValue");
  require(sv_put_att(file, field, "many", SV_DOUBLE, int64_t{1} << 60, two) == SV_EINVAL, "a huge attribute");
  int var = -1;
  require(sv_def_var(file, "negative", SV_INT, -1, nullptr, &var) == SV_EINVAL, "-1 dimensions");
  const std::vector<int> too_many(SV_MAX_DIMS + 1, 1);
  require(sv_def_var(file, "many", SV_INT, SV_MAX_DIMS + 1, too_many.data(), &var) == SV_EINVAL, "1025 dimensions");
  sv_file *other = nullptr;
  expect("flags of sv_create in sv_open", {SV_EINVAL, {"flags", "absent.nc"}},
         [&] { return sv_open(io, "absent.nc", SV_NOCLOBBER, &other); });
}

/// The model waits for any message of its own while output goes on, and its errors are its own.
void model_messages(sv_context *io, Output &out, const Spec &spec) {
  MPI_Comm model = MPI_COMM_NULL;
  SV_MUST(sv_model_comm(io, &model));
  int right = 0, sent = out.rank, received = -1, relation = MPI_UNEQUAL;
  MPI_Comm_compare(model, MPI_COMM_WORLD, &relation);
  require(relation == MPI_CONGRUENT, "the model's communicator has other ranks");
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(model, &handler);
  require(handler == MPI_ERRORS_ARE_FATAL, "the model's errors go unnoticed");
  right = (out.rank + 1) % size_of(model);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, model, &request);
  for (int64_t record = 0; record < 3; ++record) {
    put(out, spec, record);
    SV_MUST(sv_end_step(io));
  }
  MPI_Send(&sent, 1, MPI_INT, right, 16, model);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(received == (out.rank + size_of(model) - 1) % size_of(model), "the model got another message");
}

void different_settings() {
  if (size_of(MPI_COMM_WORLD) == 1) return;
  expect("different transports", {SV_ERANKS, {"different settings", "transport", "rank 1"}}, [] {
    const char *const options[] = {rank_in(MPI_COMM_WORLD) == 1 ? "transport=send" : "transport=auto"};
    sv_context *io = nullptr;
    return sv_init(MPI_COMM_WORLD, nullptr, 1, options, &io);
  });
}

/// A growing file has its name and its fixed variables from its first commit on, with or without records.
void growing(sv_context *io, const Grid &grid) {
  const std::vector<Spec> specs{{"series", SV_FLOAT, SV_FLOAT, shape, {"y", "x"}, true, How::field, &grid},
                                {"fixed", SV_FLOAT, SV_FLOAT, shape, {"y", "x"}, false, How::never}};
  Output out = create_output(io, rank_in(MPI_COMM_WORLD), "growing.nc", specs, SV_GROWING);
  require(access("growing.nc", F_OK) != 0, "growing.nc is there before its first commit");
  MPI_Barrier(MPI_COMM_WORLD);
  SV_MUST(sv_sync(out.file));
  if (out.rank == 0) NetcdfFile("growing.nc").check_all(specs, 0);
  SV_MUST(sv_close(out.file));
}

int number(int64_t cell) { return 100 + static_cast<int>(cell); }

/// A variable of so many dimensions, nearly all of one cell: a record by blocks, and one by sub-arrays.
void many_dimensions(sv_context *io, const std::string &path, int flags, int dims) {
  const auto last = static_cast<size_t>(dims) - 1;
  std::vector<std::string> names(static_cast<size_t>(dims), "one");
  names[0] = "time", names[last - 1] = "y", names[last] = "x";
  TestFile out(io, path, flags, {{"time", SV_UNLIMITED}, {"one", 1}, {"y", 6}, {"x", 5}}, {{"v", SV_INT, names}});
  out.put(0, 0, number);
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Numbers start(names.size(), 0), count(names.size(), 1);
  start[0] = 1;
  start[last - 1] = cut(6, ranks, rank);
  count[last - 1] = cut(6, ranks, rank + 1) - start[last - 1];
  count[last] = 5;
  std::vector<int> values;
  for (int64_t cell = 5 * start[last - 1]; std::ssize(values) < 5 * count[last - 1]; ++cell)
    values.push_back(number(cell));
  SV_MUST(sv_put_vara(out, 0, start.data(), count.data(), SV_INT, values.data(), nullptr));
  out.close();
  TestFile in(io, open_file(io, path));
  for (const int64_t record : {0, 1}) in.check(0, record, number);
  std::vector<int> found(values.size(), -1);
  SV_MUST(sv_get_vara(in, 0, start.data(), count.data(), SV_INT, found.data(), nullptr));
  require(found == values, path + ": other values in the sub-array");
  in.close();
  if (rank != 0 || flags == SV_ZARR) return;
  Numbers lengths(names.size() - 1, 1);
  lengths[last - 2] = 6, lengths[last - 1] = 5;
  const std::vector<double> all = NetcdfFile(path).values("v", lengths, 1);
  require(all.size() == 30 && all[29] == number(29), path + ": netCDF-C finds other values");
}

void many_dimensions(sv_context *io) {
  many_dimensions(io, "many.nc", SV_64BIT_DATA, SV_MAX_DIMS);
  if (has_store("zarr")) many_dimensions(io, "many.zarr", SV_ZARR, 40);
  if (!has_store("netcdf4")) return;
  many_dimensions(io, "many4.nc", SV_NETCDF4, 32);
  sv_file *file = begin_file(io, "more4.nc", SV_NETCDF4, {{"one", 1}}, {});
  const std::vector<int> dims(33, 0);
  int var = -1;
  expect("more dimensions than those of HDF5", {SV_ELIMIT, {"33 dimensions", "'many'", "more4.nc", "at most 32"}},
         [&] { return sv_def_var(file, "many", SV_INT, 33, dims.data(), &var); });
  SV_MUST(sv_abort(file));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int ranks = size_of(MPI_COMM_WORLD);
  different_settings();
  if (rank_in(MPI_COMM_WORLD) == 0) unlink("growing.nc");
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "file_system.stripe=4096", "route=ranges",
                                          "writers=" + std::to_string(ranks)});
  const Grid grid{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {}};
  const Spec spec{"field", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid};
  Output out{io, rank_in(MPI_COMM_WORLD)};
  out.file = begin_file(io, "limits.nc", SV_64BIT_OFFSET, {{"time", SV_UNLIMITED}, {"y", shape[0]}, {"x", shape[1]}},
                        {{"field", SV_DOUBLE, {"time", "y", "x"}, &out.ids["field"]}});
  definitions(io, out.file, out.ids["field"]);
  SV_MUST(sv_enddef(out.file));
  sizes(io, out.file, out.ids["field"]);
  model_messages(io, out, spec);
  SV_MUST(sv_close(out.file));
  if (out.rank == 0) NetcdfFile("limits.nc").check(spec, 2);
  growing(io, grid);
  many_dimensions(io);
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
