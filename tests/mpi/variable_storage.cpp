// Each variable of a netCDF-4 file and of a Zarr group is stored as its program asks for it: chunks, compression,
// checksums, quantization, byte order. NetCDF-C finds the same in the file, and the same values; inquiries report it
// before and after sv_enddef. Impossible requests are refused, and a CDF file ignores all.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=4 limit=60 name=growing args=kind=growing
// run: ranks=3 limit=60 name=nodes sanitize=no env=SV_TESTING_RANKS_PER_NODE=1 args=compression=deflate:1
// run: ranks=4 limit=60 name=servers sanitize=no args=async=servers:1
// run: ranks=2 limit=60 name=threads sanitize=no args=async=threads
#include <cmath>
#include <functional>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t steps = 5, ny = 48, nx = 60;

struct File {
  sv_file *file = nullptr;
  int temp = -1, salt = -1, flags = -1, mask = -1, plain = -1, time = -1;
};

double value_of(int variable, int64_t record, int64_t cell) {
  return 100.0 * variable + 10.0 * static_cast<double>(record) + static_cast<double>(cell % 97) / 8;
}

File defined(sv_context *io, const std::string &path) {
  File made;
  made.file = begin_file(io, path, 0, {{"time", SV_UNLIMITED}, {"y", ny}, {"x", nx}},
                         {{"temp", SV_FLOAT, {"time", "y", "x"}, &made.temp},
                          {"salt", SV_DOUBLE, {"time", "y", "x"}, &made.salt},
                          {"flags", SV_INT, {"time", "y", "x"}, &made.flags},
                          {"mask", SV_SHORT, {"y", "x"}, &made.mask},
                          {"plain", SV_FLOAT, {"y", "x"}, &made.plain},
                          {"time", SV_DOUBLE, {"time"}, &made.time}});
  return made;
}

void ask(const File &of) {
  const int64_t of_temp[] = {1, 16, 30}, of_mask[] = {12, 60};
  SV_MUST(sv_def_var_chunking(of.file, of.temp, SV_CHUNKED, of_temp));
  SV_MUST(sv_def_var_deflate(of.file, of.temp, 1, 4));
  SV_MUST(sv_def_var_fletcher32(of.file, of.temp, 1));
  SV_MUST(sv_def_var_deflate(of.file, of.salt, 0, 2));
  SV_MUST(sv_def_var_quantize(of.file, of.salt, SV_QUANTIZE_GRANULARBR, 4));
  SV_MUST(sv_def_var_endian(of.file, of.flags, SV_ENDIAN_BIG));
  SV_MUST(sv_def_var_chunking(of.file, of.mask, SV_CHUNKED, of_mask));
  SV_MUST(sv_def_var_endian(of.file, of.mask, SV_ENDIAN_BIG));
  const unsigned level[] = {3};
  SV_MUST(sv_def_var_filter(of.file, of.mask, SV_FILTER_DEFLATE, 1, level));
  SV_MUST(sv_def_var_chunking(of.file, of.plain, SV_CONTIGUOUS, nullptr));
}

/// What inquiries return; chunks only out of define mode. In Zarr, only Blosc shuffles.
void check_inquiry(const File &of, bool has_chunks, bool shuffles = true) {
  int shuffle = -1, level = -1, on = -1, mode = -1, digits = -1, endian = -1, storage = -1;
  int64_t lengths[SV_MAX_DIMS] = {};
  SV_MUST(sv_inq_var_deflate(of.file, of.temp, &shuffle, &level));
  SV_MUST(sv_inq_var_fletcher32(of.file, of.temp, &on));
  require(shuffle == (shuffles ? 1 : 0) && level == 4 && on == 1, "temp has other filters");
  SV_MUST(sv_inq_var_quantize(of.file, of.salt, &mode, &digits));
  require(mode == SV_QUANTIZE_GRANULARBR && digits == 4, "salt is quantized otherwise");
  SV_MUST(sv_inq_var_quantize(of.file, of.temp, &mode, nullptr));
  require(mode == SV_NOQUANTIZE, "temp is quantized");
  SV_MUST(sv_inq_var_endian(of.file, of.flags, &endian));
  require(endian == SV_ENDIAN_BIG, "flags have another order");
  size_t filters = 0;
  unsigned ids[SV_MAX_FILTERS] = {};
  SV_MUST(sv_inq_var_filter_ids(of.file, of.mask, &filters, ids));
  require(filters > 0 && ids[filters - 1] == SV_FILTER_DEFLATE, "mask has other filters");
  if (!has_chunks) return;
  SV_MUST(sv_inq_var_chunking(of.file, of.temp, &storage, lengths));
  require(storage == SV_CHUNKED && lengths[0] == 1 && lengths[1] == 16 && lengths[2] == 30, "temp has other chunks");
}

/// Rows in turn.
void put(MPI_Comm model, const File &to, int variable, int64_t record) {
  int64_t first = 0, count = 0;
  SV_MUST(sv_block(ny, size_of(model), rank_in(model), &first, &count));
  std::vector<double> values;
  for (int64_t cell = first * nx; cell < (first + count) * nx; ++cell)
    values.push_back(value_of(variable, std::max<int64_t>(record, 0), cell));
  const bool has_records = record >= 0;
  const int64_t start[] = {record, first, 0}, counts[] = {1, count, nx};
  SV_MUST(sv_put_vara(to.file, variable, start + (has_records ? 0 : 1), counts + (has_records ? 0 : 1), SV_DOUBLE,
                      values.data(), nullptr));
}

void write(sv_context *io, MPI_Comm model, const File &to) {
  for (const int fixed : {to.mask, to.plain}) put(model, to, fixed, -1);
  for (int64_t record = 0; record < steps; ++record) {
    for (const int variable : {to.temp, to.salt, to.flags}) put(model, to, variable, record);
    const auto now = static_cast<double>(record);
    SV_MUST(sv_put_var(to.file, to.time, record, SV_DOUBLE, &now, nullptr));
    SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_close(to.file));
}

double expected_of(const File &of, int variable, int64_t record, int64_t cell) {
  const double value = value_of(variable, record, cell);
  if (variable == of.flags || variable == of.mask) return std::trunc(value);
  return value;
}

/// Through Sverdrup, on all ranks.
void check_values(sv_context *io, const std::string &path) {
  File is;
  is.file = open_file(io, path);
  for (const auto &[name, id] : {std::pair{"temp", &is.temp},
                                 {"salt", &is.salt},
                                 {"flags", &is.flags},
                                 {"mask", &is.mask},
                                 {"plain", &is.plain},
                                 {"time", &is.time}})
    *id = var_id(is.file, name);
  check_inquiry(is, true, !path.ends_with(".zarr"));
  std::vector<double> values(ny * nx);
  for (const int variable : {is.temp, is.salt, is.flags, is.mask, is.plain}) {
    const bool has_records = variable != is.mask && variable != is.plain;
    for (int64_t record = 0; record < (has_records ? steps : 1); ++record) {
      SV_MUST(sv_get_var(is.file, variable, has_records ? record : SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
      for (int64_t cell = 0; cell < ny * nx; ++cell) {
        const double right = expected_of(is, variable, record, cell), found = values[static_cast<size_t>(cell)];
        const double most = variable == is.salt ? right * 1e-3 : 0;
        if (!(std::abs(found - right) <= most))
          give_up(path + ": variable " + std::to_string(variable) + " has " + std::to_string(found) + " for " +
                  std::to_string(right));
      }
    }
  }
  SV_MUST(sv_close(is.file));
}

/// A file that was closed, and to which an attribute is added: its variables stay stored as before.
void redefine(sv_context *io, const std::string &path) {
  sv_file *file = open_file(io, path, SV_WRITE);
  SV_MUST(sv_redef(file));
  SV_MUST(sv_put_att_text(file, SV_GLOBAL, "history", "defined anew"));
  require(sv_def_var_deflate(file, var_id(file, "temp"), 1, 1) == SV_EORDER, "a variable of the file was redefined");
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  SV_MUST(sv_flush(io, SV_WRITTEN));
}

/// As netCDF-C reports it.
void check_netcdf(const std::string &path) {
  int file = -1, id = -1, storage = -1, shuffle = -1, deflate = -1, level = -1, sum = -1, mode = -1, digits = -1;
  size_t chunks[3] = {};
  nc(nc_open(path.c_str(), NC_NOWRITE, &file), path);
  const auto variable = [&](const char *name) {
    nc(nc_inq_varid(file, name, &id), name);
    nc(nc_inq_var_deflate(file, id, &shuffle, &deflate, &level), name);
    nc(nc_inq_var_chunking(file, id, &storage, chunks), name);
    nc(nc_inq_var_fletcher32(file, id, &sum), name);
  };
  variable("temp");
  require(shuffle == 1 && level == 4 && sum == 1 && chunks[0] == 1 && chunks[1] == 16 && chunks[2] == 30, "temp");
  variable("salt");
  nc(nc_inq_var_quantize(file, id, &mode, &digits), "salt");
  require(shuffle == 0 && level == 2 && sum == 0 && mode == NC_QUANTIZE_GRANULARBR && digits == 4, "salt");
  variable("flags");
  int endian = -1;
  nc(nc_inq_var_endian(file, id, &endian), "flags");
  require(endian == NC_ENDIAN_BIG, "flags");
  variable("mask");
  nc(nc_inq_var_endian(file, id, &endian), "mask");
  require(endian == NC_ENDIAN_BIG && level == 3 && chunks[0] == 12 && chunks[1] == 60, "mask");
  variable("plain");
  require(storage == NC_CONTIGUOUS && deflate == 0, "plain");
  nc(nc_close(file), path);
  const NetcdfFile values(path);
  const File none{.temp = 0, .salt = 1, .flags = 2, .mask = 3, .plain = 4};
  for (int64_t record = 0; record < steps; ++record) {
    const std::vector<double> found = values.values("flags", {ny, nx}, record);
    for (int64_t cell = 0; cell < ny * nx; ++cell)
      require(found[static_cast<size_t>(cell)] == expected_of(none, none.flags, record, cell),
              "netCDF-C reads other values of flags");
  }
}

const std::vector<std::pair<std::string, std::function<int(const File &)>>> &refused() {
  static const int64_t too_long[] = {1, ny + 1, nx}, none[] = {1, 0, nx};
  static const unsigned level[] = {4};
  static const std::vector<std::pair<std::string, std::function<int(const File &)>>> all{
      {"beyond", [](const File &of) { return sv_def_var_chunking(of.file, of.temp, SV_CHUNKED, too_long); }},
      {"empty", [](const File &of) { return sv_def_var_chunking(of.file, of.temp, SV_CHUNKED, none); }},
      {"records", [](const File &of) { return sv_def_var_chunking(of.file, of.temp, SV_CONTIGUOUS, nullptr); }},
      {"storage", [](const File &of) { return sv_def_var_chunking(of.file, of.temp, 7, nullptr); }},
      {"level", [](const File &of) { return sv_def_var_deflate(of.file, of.temp, 1, 10); }},
      {"negative", [](const File &of) { return sv_def_var_zstandard(of.file, of.temp, -1); }},
      {"digits", [](const File &of) { return sv_def_var_quantize(of.file, of.temp, SV_QUANTIZE_BITGROOM, 8); }},
      {"integers", [](const File &of) { return sv_def_var_quantize(of.file, of.flags, SV_QUANTIZE_BITGROOM, 3); }},
      {"mode", [](const File &of) { return sv_def_var_quantize(of.file, of.temp, 9, 3); }},
      {"order", [](const File &of) { return sv_def_var_endian(of.file, of.temp, 3); }},
      {"filter", [](const File &of) { return sv_def_var_filter(of.file, of.temp, 307, 1, level); }},
      {"parameters", [](const File &of) { return sv_def_var_filter(of.file, of.temp, SV_FILTER_DEFLATE, 0, level); }},
  };
  return all;
}

/// Of a file that is not made. A refused call changes nothing.
void check_refusals(sv_context *io) {
  const File of = defined(io, "refused.nc");
  for (const auto &[name, call] : refused())
    expect(name, {SV_EINVAL, {"refused.nc", name == "integers" ? "flags" : "temp"}}, [&] { return call(of); });
  SV_MUST(sv_def_var_deflate(of.file, of.temp, 1, 4));
  expect("two", {SV_EINVAL, {"temp", "deflate"}}, [&] { return sv_def_var_zstandard(of.file, of.temp, 3); });
  expect("no variable", {SV_ENOTFOUND, {"refused.nc"}}, [&] { return sv_def_var_deflate(of.file, 99, 1, 4); });
  expect("chunks", {SV_EORDER, {"sv_enddef"}}, [&] { return sv_inq_var_chunking(of.file, of.temp, nullptr, nullptr); });
  SV_MUST(sv_abort(of.file));
}

/// Ranks that ask for different things.
void check_comparison(sv_context *io, MPI_Comm model) {
  if (size_of(model) == 1) return;
  const File of = defined(io, "compared.nc");
  SV_MUST(sv_def_var_deflate(of.file, of.temp, 1, rank_in(model) == 0 ? 1 : 2));
  expect("sv_enddef", {SV_EDEFINE, {"compared.nc", "temp", "deflate"}}, [&] { return sv_enddef(of.file); });
  SV_MUST(sv_abort(of.file));
}

void try_store(sv_context *io, MPI_Comm model, const std::string &path) {
  const File made = defined(io, path);
  ask(made);
  check_inquiry(made, false);
  SV_MUST(sv_enddef(made.file));
  require(sv_def_var_deflate(made.file, made.temp, 1, 1) == SV_EORDER, "a definition came late");
  if (!path.ends_with(".cdf")) check_inquiry(made, true, !path.ends_with(".zarr"));
  write(io, model, made);
  SV_MUST(sv_flush(io, SV_WRITTEN));
}

}  // namespace

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  for (const std::string store : {"netcdf4", "zarr", "cdf"}) {
    if (!has_store(store)) continue;
    std::vector<std::string> options(argv + 1, argv + argc);
    options.push_back("store=" + store);
    const std::string path = store == "cdf" ? "a.cdf" : store == "zarr" ? "a.zarr" : "a.nc";
    sv_context *io = start(MPI_COMM_WORLD, options);
    const MPI_Comm model = model_ranks(io);
    if (model != MPI_COMM_NULL) {
      if (store == "netcdf4" && size_of(model) == size_of(MPI_COMM_WORLD)) {
        check_refusals(io);
        check_comparison(io, model);
      }
      try_store(io, model, path);
      if (store != "cdf") check_values(io, path);
      if (store == "netcdf4" && rank_in(model) == 0) check_netcdf(path);
      if (store != "cdf") {
        redefine(io, path);
        check_values(io, path);
      }
      if (store == "netcdf4" && rank_in(model) == 0) check_netcdf(path);
      if (store == "cdf" && rank_in(model) == 0)
        require(NetcdfFile(path).records() == steps, "the CDF file lacks records");
    }
    SV_MUST(sv_finalize(io));
  }
  return MPI_Finalize();
}
