// Values that do not fit, by the three policies, and packed variables: written by all ways, read back with netCDF-C and
// through Sverdrup. Rank 1 of three owns nothing.
// run: ranks=3 limit=60
// run: ranks=1 limit=60
// In models that have each invalid operation, overflow and division by zero end the process:
// run: ranks=3 limit=60 name=traps args=traps
// run: ranks=3 limit=60 name=traps_behind behind args=traps
// run: ranks=3 limit=60 name=traps_netcdf4 env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1 args=traps
#include <cfenv>
#include <cmath>
#include <limits>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t cells = 12;
constexpr short fill = -99;

/// A file of 12 cells, its variable `field`, and a decomposition of it among all ranks but rank 1.
struct Scene {
  explicit Scene(const std::string &policy)
      : io(start(MPI_COMM_WORLD, {"transport.window=1MiB", "out_of_range=" + policy})), path(policy + ".nc") {
    const int ranks = size_of(MPI_COMM_WORLD), parts = std::max(1, ranks - 1);
    first = cut(cells, parts, rank == 0 ? 0 : rank - 1);
    count = rank == 1 ? 0 : cut(cells, parts, rank == 0 ? 1 : rank) - first;
    if (rank == 1) first = 0;
    SV_MUST(sv_def_decomp(io, 1, &cells, &first, &count, nullptr, &decomp));
  }
  void create(int type) {
    file = begin_file(io, path, 0, {{"x", cells}}, {{"field", type, {"x"}, &var}});
    if (type == SV_SHORT) SV_MUST(sv_def_fill(file, var, &fill));
  }
  int put(const std::vector<double> &all) {
    return sv_put(file, var, decomp, SV_NO_RECORD, SV_DOUBLE, all.data() + first, nullptr);
  }
  void check(const std::vector<double> &right, const std::string &description) const {
    SV_MUST(sv_flush(io, SV_WRITTEN));
    at_root([&] {
      const std::vector<double> found = NetcdfFile(path).values("field", {cells}, -1);
      for (size_t i = 0; i < right.size(); ++i)
        require(found[i] == right[i] || (std::isnan(found[i]) && std::isnan(right[i])),
                description + ": element " + std::to_string(i) + " is " + std::to_string(found[i]) + ", expected " +
                    std::to_string(right[i]));
    });
  }
  void finish() {
    SV_MUST(sv_free_decomp(decomp));
    SV_MUST(sv_finalize(io));
  }

  int rank = rank_in(MPI_COMM_WORLD);
  sv_context *io;
  std::string path;
  sv_decomp *decomp = nullptr;
  sv_file *file = nullptr;
  int var = -1;
  int64_t first = 0, count = 0;
};

const double nan = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> values{1, -40000, 3, 4, 5, 6, 7, 8, nan, 10, 1e300, 12};

std::vector<double> with(double low, double none, double high) {
  std::vector<double> all = values;
  all[1] = low;
  all[8] = none;
  all[10] = high;
  return all;
}

void clamped_or_filled(const std::string &policy, const std::vector<double> &right) {
  Scene s(policy);
  s.create(SV_SHORT);
  SV_MUST(sv_enddef(s.file));
  SV_MUST(s.put(values));
  SV_MUST(sv_close(s.file));
  s.check(right, policy);
  // Reading follows the same policy.
  s.file = open_file(s.io, s.path);
  std::vector<signed char> bytes(cells);
  SV_MUST(sv_get_var(s.file, s.var, SV_NO_RECORD, SV_BYTE, bytes.data(), nullptr));
  require(bytes[0] == 1 && bytes[8] == fill, "bytes read from shorts");
  if (policy == "clamp") require(bytes[1] == -128 && bytes[10] == 127, "bytes are not clamped");
  if (policy == "fill") require(bytes[1] == fill && bytes[10] == fill, "bytes are not filled");
  SV_MUST(sv_close(s.file));
  // NaN is kept in floating-point variables.
  s.create(SV_FLOAT);
  SV_MUST(sv_enddef(s.file));
  SV_MUST(s.put(values));
  SV_MUST(sv_close(s.file));
  s.check(with(-40000, nan, policy == "clamp" ? std::numeric_limits<float>::max() : NC_FILL_FLOAT), policy);
  s.finish();
}

/// A put that is refused leaves nothing, and the file goes on.
void refused() {
  Scene s("error");
  s.create(SV_SHORT);
  SV_MUST(sv_enddef(s.file));
  const std::string where = "rank 0";
  const std::vector<double> good = with(2, 9, 11);
  SV_MUST(s.put(good));
  expect("a field", {SV_ERANGE, {"'field'", "error.nc", where, "-40000", "not fit"}}, [&] { return s.put(values); });
  expect("a replicated field", {SV_ERANGE, {"3 values", "'field'", "-40000"}},
         [&] { return sv_put_var(s.file, s.var, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr); });
  expect("a sub-array", {SV_ERANGE, {"1 value", "1e+300"}}, [&] {
    const int64_t at = 10, one = s.rank == 0 ? 1 : 0;
    return sv_put_vara(s.file, s.var, &at, &one, SV_DOUBLE, values.data() + 10, nullptr);
  });
  SV_MUST(sv_close(s.file));
  s.check(good, "after refused puts");
  s.file = open_file(s.io, s.path, SV_WRITE);
  SV_MUST(s.put(with(300, 9, 11)));
  std::vector<signed char> bytes(cells);
  const auto get = [&] { return sv_get(s.file, s.var, s.decomp, SV_NO_RECORD, SV_BYTE, bytes.data(), nullptr); };
  expect("reading", {SV_ERANGE, {"1 value", "'field'", "error.nc", "rank 0", "300"}}, get);
  expect("reading the whole", {SV_ERANGE, {"300"}},
         [&] { return sv_get_var(s.file, s.var, SV_NO_RECORD, SV_BYTE, bytes.data(), nullptr); });
  SV_MUST(s.put(good));
  SV_MUST(get());
  SV_MUST(sv_close(s.file));
  s.finish();
}

/// scale_factor 0.01, add_offset 280: value = packed * 0.01 + 280.
void packed() {
  Scene s("clamp");
  s.create(SV_SHORT);
  expect("a factor of 0", {SV_EINVAL, {"'field'", "scale_factor"}},
         [&] { return sv_def_packing(s.file, s.var, 0, 1); });
  require(sv_use_packing(s.file, s.var, 1) == SV_ENOTFOUND, "packing without attributes");
  SV_MUST(sv_def_packing(s.file, s.var, 0.01, 280));
  SV_MUST(sv_enddef(s.file));
  std::vector<double> kelvin(cells, 0), stored(cells, 0);
  for (int i = 0; i < cells; ++i) {
    stored[static_cast<size_t>(i)] = 7 * i - 30;
    kelvin[static_cast<size_t>(i)] = 280 + 0.01 * (7 * i - 30) + 0.004;  // rounds down to the stored one
  }
  kelvin[5] = nan;
  stored[5] = fill;
  SV_MUST(s.put(kelvin));
  SV_MUST(sv_close(s.file));
  s.check(stored, "packed");
  s.file = open_file(s.io, s.path);
  std::vector<double> raw(cells, 0);
  std::vector<float> unpacked(cells, 0);
  SV_MUST(sv_get_var(s.file, s.var, SV_NO_RECORD, SV_DOUBLE, raw.data(), nullptr));
  require(raw == stored, "packed values are not read as they are");
  SV_MUST(sv_use_packing(s.file, s.var, 1));
  SV_MUST(sv_get_var(s.file, s.var, SV_NO_RECORD, SV_FLOAT, unpacked.data(), nullptr));
  for (size_t i = 0; i < unpacked.size(); ++i)
    require(i == 5 ? std::isnan(unpacked[i]) : unpacked[i] == static_cast<float>(stored[i] * 0.01 + 280),
            "unpacked element " + std::to_string(i) + " is " + std::to_string(unpacked[i]));
  std::vector<double> block(cells, 0);
  SV_MUST(sv_get(s.file, s.var, s.decomp, SV_NO_RECORD, SV_DOUBLE, block.data(), nullptr));
  if (s.count > 0)
    require(block[0] == stored[static_cast<size_t>(s.first)] * 0.01 + 280, "this rank's block is not unpacked");
  SV_MUST(sv_use_packing(s.file, s.var, 0));
  SV_MUST(sv_get_var(s.file, s.var, SV_NO_RECORD, SV_DOUBLE, raw.data(), nullptr));
  require(raw == stored, "packing cannot be turned off");
  if (size_of(MPI_COMM_WORLD) > 1) {
    SV_MUST(sv_use_packing(s.file, s.var, s.rank == 0 ? 1 : 0));
    expect("ranks that differ", {SV_ERANKS, {"packed"}},
           [&] { return sv_get_var(s.file, s.var, SV_NO_RECORD, SV_DOUBLE, raw.data(), nullptr); });
  }
  SV_MUST(sv_close(s.file));
  s.finish();
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
#ifdef __GLIBC__
  if (argc > 1) feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
#endif
  clamped_or_filled("clamp", with(-32768, fill, 32767));
  clamped_or_filled("fill", with(fill, fill, fill));
  refused();
  packed();
  return MPI_Finalize();
}
