// Error bounds: each value is the nearest that the bound allows, in any mode and on any number of ranks; a file states
// the bound, and the largest error of all its ranks and records. While more may come, it states the bound as that.
// run: ranks=1 limit=30
// run: ranks=3 limit=30
// run: ranks=3 limit=30 name=growing args=kind=growing
// run: ranks=4 limit=30 name=servers sanitize=no args=async=servers:1 kind=growing
// run: ranks=2 limit=30 name=threads sanitize=no args=async=threads
#include <cmath>
#include <cstring>
#include <limits>

#include "support/files.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;

constexpr int64_t steps = 3, ny = 33, nx = 64;
constexpr double fill = 1e20, bound = 0.01, relative_bound = 1e-4;
constexpr double step = 1.0 / 64;  // the largest power of two that is twice the bound at most

double value_at(int64_t record, int64_t cell) {
  if (cell % 101 == 0) return fill;
  if (cell % 103 == 0) return std::numeric_limits<double>::quiet_NaN();
  if (cell % 107 == 0) return -std::numeric_limits<double>::infinity();
  if (cell % 109 == 0) return std::numeric_limits<double>::denorm_min();
  return std::sin(static_cast<double>(cell + 7 * record)) * std::pow(10.0, static_cast<double>(cell % 9) - 3);
}

float narrow_at(int64_t record, int64_t cell) { return static_cast<float>(value_at(record, cell)); }

bool stays(double value) { return !std::isnormal(value) || value == fill; }

struct File {
  int temp = 0, salt = 0;
};

sv_file *defined(sv_context *io, const std::string &path, File &of) {
  static const float narrow_fill = static_cast<float>(fill);
  sv_file *file = begin_file(io, path, 0, {{"time", SV_UNLIMITED}, {"y", ny}, {"x", nx}},
                             {{"temp", SV_DOUBLE, {"time", "y", "x"}, &of.temp, &fill},
                              {"salt", SV_FLOAT, {"time", "y", "x"}, &of.salt, &narrow_fill}});
  SV_MUST(sv_def_var_deflate(file, of.temp, 1, 1));
  SV_MUST(sv_def_var_error_bound(file, of.temp, SV_ERROR_ABSOLUTE, bound));
  SV_MUST(sv_def_var_error_bound(file, of.salt, SV_ERROR_RELATIVE, relative_bound));
  return file;
}

/// Rows in turn.
template <class ValueOf>
void put(MPI_Comm model, sv_file *file, int var, int64_t record, int type, ValueOf value_of) {
  int64_t first = 0, count = 0;
  SV_MUST(sv_block(ny, size_of(model), rank_in(model), &first, &count));
  std::vector<decltype(value_of(0))> values;
  for (int64_t cell = first * nx; cell < (first + count) * nx; ++cell) values.push_back(value_of(cell));
  const int64_t start[] = {record, first, 0}, counts[] = {1, count, nx};
  SV_MUST(sv_put_vara(file, var, start, counts, type, values.data(), nullptr));
}

void put_record(MPI_Comm model, sv_file *file, const File &of, int64_t record) {
  put(model, file, of.temp, record, SV_DOUBLE, [&](int64_t cell) { return value_at(record, cell); });
  put(model, file, of.salt, record, SV_FLOAT, [&](int64_t cell) { return narrow_at(record, cell); });
}

void check_stated(sv_file *file, int var, int kind, double wanted_bound, double wanted_largest) {
  int found_kind = -1;
  double found_bound = 0, largest = 0;
  SV_MUST(sv_inq_var_error_bound(file, var, &found_kind, &found_bound, &largest));
  require(found_kind == kind && found_bound == wanted_bound, "another bound is stated");
  require(largest == wanted_largest, "the largest error is " + std::to_string(wanted_largest) +
                                         ", but the file states " + std::to_string(largest));
  int mode = -1;
  SV_MUST(sv_inq_var_quantize(file, var, &mode, nullptr));
  require(mode == SV_NOQUANTIZE, "an error bound counts as a quantization by netCDF");
}

/// Every rank reads all. Returns the largest errors.
std::pair<double, double> check_values(sv_file *file, const File &of, int64_t records) {
  double worst = 0, narrow_worst = 0;
  std::vector<double> wide(ny * nx);
  std::vector<float> narrow(ny * nx);
  for (int64_t record = 0; record < records; ++record) {
    const int64_t start[] = {record, 0, 0}, counts[] = {1, ny, nx};
    SV_MUST(sv_get_vara(file, of.temp, start, counts, SV_DOUBLE, wide.data(), nullptr));
    SV_MUST(sv_get_vara(file, of.salt, start, counts, SV_FLOAT, narrow.data(), nullptr));
    for (int64_t cell = 0; cell < ny * nx; ++cell) {
      const double value = value_at(record, cell), found = wide[static_cast<size_t>(cell)];
      const double nearest = stays(value) ? value : std::nearbyint(value / step) * step;
      require(found == nearest || std::memcmp(&found, &value, sizeof value) == 0, "a value is not the nearest one");
      if (!stays(value)) worst = std::max(worst, std::abs(found - value));
      const float narrow_value = narrow_at(record, cell), narrow_found = narrow[static_cast<size_t>(cell)];
      if (!std::isnormal(narrow_value) || narrow_value == static_cast<float>(fill)) {
        require(std::memcmp(&narrow_value, &narrow_found, sizeof narrow_found) == 0, "a value did not stay");
        continue;
      }
      const double exact = narrow_value;
      narrow_worst = std::max(narrow_worst, std::abs(narrow_found - exact) / std::abs(exact));
    }
  }
  require(worst > bound / 2 && worst <= bound && narrow_worst > relative_bound / 4 && narrow_worst <= relative_bound,
          "errors beyond the bounds");
  return {worst, narrow_worst};
}

void check_file(sv_context *io, const std::string &path, const File &of, int64_t records) {
  sv_file *file = open_file(io, path);
  const auto [worst, narrow_worst] = check_values(file, of, records);
  check_stated(file, of.temp, SV_ERROR_ABSOLUTE, bound, worst);
  check_stated(file, of.salt, SV_ERROR_RELATIVE, relative_bound, narrow_worst);
  SV_MUST(sv_close(file));
}

/// As netCDF-C reads it, while the file is being written.
void expect_bound_stated(const std::string &path) {
  int file = -1, var = -1;
  double stated = 0;
  nc(nc_open(path.c_str(), NC_NOWRITE, &file), path);
  nc(nc_inq_varid(file, "temp", &var), path);
  nc(nc_get_att_double(file, var, "quantization_maximum_absolute_error", &stated), path);
  nc(nc_close(file), path);
  require(stated == bound, "before it is closed, a file states " + std::to_string(stated));
}

void write(sv_context *io, MPI_Comm model, const std::string &path, File &of, bool is_growing) {
  sv_file *file = defined(io, path, of);
  SV_MUST(sv_enddef(file));
  check_stated(file, of.temp, SV_ERROR_ABSOLUTE, bound, bound);
  for (int64_t record = 0; record < steps; ++record) {
    put_record(model, file, of, record);
    SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_flush(io, SV_WRITTEN));
  MPI_Barrier(model);
  if (is_growing && path.ends_with(".nc") && rank_in(model) == 0) expect_bound_stated(path);
  MPI_Barrier(model);
  SV_MUST(sv_close(file));
}

/// The errors of earlier records count; more of them are rounded without being asked for.
void append(sv_context *io, MPI_Comm model, const std::string &path, const File &of) {
  sv_file *file = open_file(io, path, SV_WRITE);
  put_record(model, file, of, steps);
  SV_MUST(sv_end_step(io));
  SV_MUST(sv_flush(io, SV_WRITTEN));
  MPI_Barrier(model);
  if (path.ends_with(".nc") && rank_in(model) == 0) expect_bound_stated(path);
  MPI_Barrier(model);
  SV_MUST(sv_close(file));
}

void check_refusals(sv_context *io) {
  File of;
  sv_file *file = defined(io, "refused.nc", of);
  for (const double wrong : {0.0, -1.0, 1e300, std::numeric_limits<double>::quiet_NaN()})
    require(sv_def_var_error_bound(file, of.temp, SV_ERROR_ABSOLUTE, wrong) == SV_EINVAL, "a wrong bound is taken");
  require(sv_def_var_error_bound(file, of.temp, SV_ERROR_RELATIVE, 0.6) == SV_EINVAL, "a wrong bound is taken");
  require(sv_def_var_error_bound(file, of.temp, 4, 0.1) == SV_EINVAL, "a wrong kind is taken");
  const double earlier = 0.5;
  SV_MUST(sv_put_att(file, of.temp, "quantization_maximum_absolute_error", SV_DOUBLE, 1, &earlier));
  require(sv_enddef(file) == SV_EINVAL, "values that were rounded before get a bound");
  sv_close(file);
}

}  // namespace

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const std::vector<std::string> options(argv + 1, argv + argc);
  const bool is_growing = std::ranges::find(options, "kind=growing") != options.end();
  for (const char *const store : {"netcdf4", "zarr"}) {
    if (!has_store(store)) continue;
    std::vector<std::string> all = options;
    all.push_back(std::string("store=") + store);
    sv_context *io = start(MPI_COMM_WORLD, all);
    if (const MPI_Comm model = model_ranks(io); model != MPI_COMM_NULL) {
      const std::string path = std::string(store) == "zarr" ? "bounded.zarr" : "bounded.nc";
      File of;
      write(io, model, path, of, is_growing);
      check_file(io, path, of, steps);
      append(io, model, path, of);
      check_file(io, path, of, steps + 1);
      check_refusals(io);
    }
    SV_MUST(sv_finalize(io));
  }
  if (has_store("netcdf4_library")) {
    sv_context *io = start(MPI_COMM_WORLD, {"store=netcdf4_library"});
    File of;
    sv_file *file = defined(io, "library.nc", of);
    require(sv_enddef(file) == SV_ENOTSUP, "netCDF-C is to keep an error bound");
    sv_close(file);
    SV_MUST(sv_finalize(io));
  }
  return MPI_Finalize();
}
