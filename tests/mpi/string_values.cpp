// Variables of strings: whole ones, records and parts of ranks, in netCDF-4 files and Zarr groups; read by netCDF-C and
// by Sverdrup, appended to, kept by sv_redef and sv_copy_var, and refused where a call or a format has none.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=3 limit=60 name=zarr args=store=zarr
// run: ranks=2 limit=60 name=growing args=kind=growing
// run: ranks=2 limit=60 name=zarr_growing args=store=zarr,kind=growing
// run: ranks=2 limit=60 name=threads args=async=threads
// run: ranks=2 limit=60 name=untrusted args=reading.untrusted=true
#include <sstream>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

using Strings = std::vector<std::string>;

const Strings names{"Bergen", "", "Tórshavn", std::string(5000, 'x')};

struct Ids {
  int station, remark, temp, title;
};

Ids ids_in(sv_file *file) {
  return {var_id(file, "station"), var_id(file, "remark"), var_id(file, "temp"), var_id(file, "title")};
}

std::vector<const char *> pointers(const Strings &strings) {
  std::vector<const char *> all;
  for (const std::string &each : strings) all.push_back(each.c_str());
  return all;
}

/// Collective. The strings that a get returns.
Strings taken(size_t count, const std::function<int(char **)> &get) {
  std::vector<char *> values(count + 1, nullptr);
  SV_MUST(get(values.data()));
  const Strings strings(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  SV_MUST(sv_free_string(static_cast<int64_t>(count), values.data()));
  return strings;
}

std::string remark(int64_t record, int station) {
  return "remark " + std::to_string(record) + " of " + std::to_string(station);
}

/// Collective. Each rank puts the remarks of some stations; the last station gets none.
void put_remarks(sv_file *file, int64_t record, int rank, int ranks) {
  const int var = var_id(file, "remark");
  const int64_t first = rank, count = rank == ranks - 1 ? 3 - rank : 1;
  Strings strings;
  for (int64_t s = first; s < first + count; ++s) strings.push_back(remark(record, static_cast<int>(s)));
  const int64_t starts[] = {record, first}, counts[] = {1, count};
  SV_MUST(sv_put_vara_string(file, var, starts, counts, pointers(strings).data()));
}

void check(sv_file *file, int64_t records, int rank) {
  const Ids id = ids_in(file);
  require(taken(4, [&](char **to) { return sv_get_var_string(file, id.station, SV_NO_RECORD, to); }) == names,
          "the names of stations");
  require(
      taken(1, [&](char **to) { return sv_get_var_string(file, id.title, SV_NO_RECORD, to); }) == Strings{"a title"},
      "a scalar");
  for (int64_t r = 0; r < records; ++r) {
    const int64_t start[] = {r, rank % 4}, one[] = {1, 1}, none[] = {0, 0};
    const std::string right = rank % 4 == 3 ? "" : remark(r, rank % 4);
    require(taken(1, [&](char **to) { return sv_get_vara_string(file, id.remark, start, one, to); }) == Strings{right},
            "a remark of record " + std::to_string(r));
    const auto on_one = [&](char **to) {
      return sv_get_vara_string(file, id.remark, start, rank == 0 ? one : none, rank == 0 ? to : nullptr);
    };
    require(taken(rank == 0 ? 1 : 0, on_one).size() == (rank == 0 ? 1 : 0), "a get of one rank");
  }
}

void check_by_netcdf(const std::string &path, int64_t records) {
  int id = -1, var = -1;
  nc_type type = NC_NAT;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  nc(nc_inq_varid(id, "station", &var), "station");
  nc(nc_inq_vartype(id, var, &type), "station");
  require(type == NC_STRING, "netCDF-C finds no strings");
  char *values[4];
  nc(nc_get_var_string(id, var, values), "station");
  for (size_t i = 0; i < names.size(); ++i) require(values[i] == names[i], "netCDF-C reads other strings");
  nc_free_string(4, values);
  nc(nc_inq_varid(id, "remark", &var), "remark");
  for (int64_t r = 0; r < records; ++r) {
    const size_t start[] = {static_cast<size_t>(r), 0}, count[] = {1, 4};
    nc(nc_get_vara_string(id, var, start, count, values), "remark");
    for (int s = 0; s < 3; ++s) require(values[s] == remark(r, s), "netCDF-C reads another remark");
    require(values[3] == nullptr || std::string(values[3]).empty(), "netCDF-C reads a string that nobody put");
    nc_free_string(4, values);
  }
  nc(nc_close(id), path);
}

void put_numbers(sv_file *file, int64_t record) {
  const float values[] = {1, 2, 3, 4};
  SV_MUST(sv_put_var(file, var_id(file, "temp"), record, SV_FLOAT, values, nullptr));
}

sv_file *made(sv_context *io, const std::string &path) {
  sv_file *file = nullptr;
  int time = -1, stations = -1, var = -1;
  SV_MUST(sv_create(io, path.c_str(), SV_CLOBBER, &file));
  SV_MUST(sv_def_dim(file, "time", SV_UNLIMITED, &time));
  SV_MUST(sv_def_dim(file, "stations", 4, &stations));
  const int dims[] = {time, stations};
  SV_MUST(sv_def_var(file, "station", SV_STRING, 1, &stations, &var));
  SV_MUST(sv_def_var(file, "temp", SV_FLOAT, 2, dims, &var));
  SV_MUST(sv_def_var(file, "remark", SV_STRING, 2, dims, &var));
  SV_MUST(sv_def_var(file, "title", SV_STRING, 0, nullptr, &var));
  SV_MUST(sv_enddef(file));
  return file;
}

void refuse(sv_file *file, int ranks) {
  const Ids id = ids_in(file);
  const int64_t start[] = {0}, count[] = {4}, two[] = {0, 0}, one[] = {1, 1};
  const char text = 'x', *const strings[] = {"a", "b", "c", "d"};
  expect("numbers into strings", {SV_ETYPE, {"'station'", "sv_put_vara_string"}},
         [&] { return sv_put_vara(file, id.station, start, count, SV_CHAR, &text, nullptr); });
  expect("strings into numbers", {SV_ETYPE, {"'temp'", "float"}},
         [&] { return sv_put_vara_string(file, id.temp, two, one, strings); });
  expect("a part beyond the stations", {SV_EINVAL, {"'station'", "'stations'"}}, [&] {
    const int64_t five[] = {5};
    return sv_put_vara_string(file, id.station, start, five, std::vector<const char *>(5, "a").data());
  });
  expect("no strings", {SV_EINVAL, {"values"}},
         [&] { return sv_put_var_string(file, id.station, SV_NO_RECORD, nullptr); });
  if (ranks == 1) return;
  expect("the same cells from all ranks", {SV_ELAYOUT, {"'station'"}},
         [&] { return sv_put_vara_string(file, id.station, start, count, strings); });
}

/// The first change is made in place, the second one makes a new file.
void redefine(sv_file *file) {
  SV_MUST(sv_redef(file));
  SV_MUST(sv_put_att_text(file, var_id(file, "station"), "long_name", "names"));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_redef(file));
  SV_MUST(sv_rename_var(file, var_id(file, "temp"), "t"));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_redef(file));
  SV_MUST(sv_rename_var(file, var_id(file, "t"), "temp"));
  SV_MUST(sv_enddef(file));
}

void copy(sv_context *io, const std::string &path, int rank) {
  sv_file *const from = open_file(io, path), *const to = made(io, "copy_" + path);
  const Ids id = ids_in(from);
  for (const int var : {id.station, id.title}) SV_MUST(sv_copy_var(from, var, SV_NO_RECORD, to, var, SV_NO_RECORD));
  const std::vector<int> vars{id.remark, id.temp, id.temp, id.remark, id.temp, id.remark};
  const std::vector<int64_t> records{0, 0, 1, 1, 2, 2};
  const auto copy_list = [&](int n, const std::vector<int64_t> &of) {
    return sv_mcopy(from, to, n, vars.data(), of.data(), vars.data(), records.data());
  };
  SV_MUST(copy_list(0, records));
  expect("a list with a record that is not there", {SV_ENOTFOUND, {"request 3 of 6", "'temp'", "record 7"}}, [&] {
    return copy_list(6, {0, 0, 7, 1, 2, 2});
  });
  expect("a list without records", {SV_EINVAL, {"from_records"}},
         [&] { return sv_mcopy(from, to, 1, vars.data(), nullptr, vars.data(), records.data()); });
  SV_MUST(copy_list(6, records));
  expect("a list that reads what it writes", {SV_EINVAL, {"another one writes"}},
         [&] { return sv_mcopy(to, to, 6, vars.data(), records.data(), vars.data(), records.data()); });
  SV_MUST(sv_close(to));
  SV_MUST(sv_close(from));
  sv_file *const copied = open_file(io, "copy_" + path);
  check(copied, 3, rank);
  SV_MUST(sv_close(copied));
}

void run(sv_context *io, const std::string &path, bool is_zarr) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sv_file *file = made(io, path);
  const char *const title = "a title";
  SV_MUST(sv_put_var_string(file, var_id(file, "station"), SV_NO_RECORD, pointers(names).data()));
  SV_MUST(sv_put_var_string(file, var_id(file, "title"), SV_NO_RECORD, &title));
  for (int64_t r = 0; r < 2; ++r) {
    put_remarks(file, r, rank, ranks);
    put_numbers(file, r);
    SV_MUST(sv_end_step(io));
  }
  check(file, 2, rank);
  refuse(file, ranks);
  SV_MUST(sv_close(file));
  SV_MUST(sv_flush(io, SV_WRITTEN));
  if (!is_zarr) at_root([&] { check_by_netcdf(path, 2); });
  file = open_file(io, path, SV_WRITE);
  put_remarks(file, 2, rank, ranks);
  put_numbers(file, 2);
  redefine(file);
  check(file, 3, rank);
  SV_MUST(sv_close(file));
  SV_MUST(sv_flush(io, SV_WRITTEN));
  if (!is_zarr) at_root([&] { check_by_netcdf(path, 3); });
  file = open_file(io, path);
  check(file, 3, rank);
  SV_MUST(sv_close(file));
  copy(io, path, rank);
}

void refuse_in_cdf() {
  sv_context *io = start(MPI_COMM_WORLD, {"store=cdf"});
  sv_file *file = nullptr;
  int var = -1;
  SV_MUST(sv_create(io, "string_values_cdf.nc", SV_64BIT_DATA, &file));
  expect("strings in CDF", {SV_ETYPE, {"'station'", "netcdf4"}},
         [&] { return sv_def_var(file, "station", SV_STRING, 0, nullptr, &var); });
  SV_MUST(sv_abort(file));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<std::string> settings;
  std::istringstream given(argc > 1 ? argv[1] : "");
  for (std::string each; std::getline(given, each, ',');) settings.push_back(each);
  const bool is_zarr = !settings.empty() && settings.front() == "store=zarr";
  if (!is_zarr) settings.insert(settings.begin(), "store=netcdf4");
  sv_context *io = start(MPI_COMM_WORLD, settings);
  run(io, is_zarr ? "string_values.zarr" : "string_values.nc", is_zarr);
  SV_MUST(sv_finalize(io));
  refuse_in_cdf();
  MPI_Finalize();
  return 0;
}
