// Quantized variables: the store netcdf4 writes the values that netCDF-C writes (netcdf4_library), and the promises of
// the modes hold; fill values and coordinates stay as they are.
// run: ranks=1 limit=30
// run: ranks=3 limit=30
#include <cmath>

#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t rows = 131, columns = 40;  // more bytes than quantize() changes at once
constexpr double fill = 1e20;

/// Of many sizes and both signs, with some that are 0, exact, or missing.
double value_at(int64_t row, int64_t column) {
  const int64_t number = row * columns + column;
  if (number % 97 == 0) return 0;
  if (number % 89 == 0) return fill;
  if (number % 83 == 0) return 1024;
  return std::sin(static_cast<double>(number)) * std::pow(10.0, static_cast<double>(number % 17) - 8);
}

void write(const std::vector<std::string> &options, const std::string &path) {
  sv_context *io = start(MPI_COMM_WORLD, options);
  const float narrow_fill = static_cast<float>(fill);
  TestFile file(io, path, 0, {{"y", rows}, {"x", columns}},
                {{"wide", SV_DOUBLE, {"y", "x"}, nullptr, &fill},
                 {"narrow", SV_FLOAT, {"y", "x"}, nullptr, &narrow_fill},
                 {"x", SV_DOUBLE, {"x"}}});
  const auto value = [](int64_t cell) { return value_at(cell / columns, cell % columns); };
  file.put(0, SV_NO_RECORD, value);
  file.put(1, SV_NO_RECORD, [&](int64_t cell) { return static_cast<float>(value(cell)); });
  file.put(2, SV_NO_RECORD, [](int64_t column) { return value_at(1, column); });
  file.close();
  SV_MUST(sv_finalize(io));
}

/// As it stands there: netCDF-C 4.9 quantizes once more what it converts in reading.
std::vector<double> stored(const std::string &path, const std::string &name) {
  int file = -1, variable = -1;
  nc_type type = NC_NAT;
  nc(nc_open(path.c_str(), NC_NOWRITE, &file), path);
  nc(nc_inq_varid(file, name.c_str(), &variable), name);
  nc(nc_inq_vartype(file, variable, &type), name);
  std::vector<double> values(rows * columns);
  std::vector<float> narrow(values.size());
  nc(type == NC_FLOAT ? nc_get_var_float(file, variable, narrow.data())
                      : nc_get_var_double(file, variable, values.data()),
     name);
  if (type == NC_FLOAT) values.assign(narrow.begin(), narrow.end());
  nc(nc_close(file), path);
  return values;
}

void check_promise(const std::string &mode, int amount, const std::vector<double> &found, bool is_wide) {
  for (int64_t i = 0; i < rows * columns; ++i) {
    double truth = value_at(i / columns, i % columns);
    if (!is_wide) truth = static_cast<float>(truth);
    const double error = std::abs(found[static_cast<size_t>(i)] - truth);
    const double most = mode == "bitround" ? std::ldexp(std::abs(truth), -amount - 1)
                                           : std::abs(truth) * std::pow(10.0, 1 - amount) / 2;
    require(truth == 0 || std::abs(truth) > 1e19 ? error == 0 : error <= most,
            mode + ": " + std::to_string(truth) + " became " + std::to_string(found[static_cast<size_t>(i)]));
  }
}

/// Except fill values, which netCDF-C 4.9 quantizes in a file that it has opened again.
void expect_same(const std::vector<double> &ours, const std::vector<double> &theirs, const std::string &description) {
  for (int64_t i = 0; i < rows * columns; ++i)
    require(
        value_at(i / columns, i % columns) == fill || ours[static_cast<size_t>(i)] == theirs[static_cast<size_t>(i)],
        description + ": not netCDF-C's values");
}

void try_mode(const std::string &mode, int amount, bool has_peer) {
  const std::vector<std::string> options{"compression=deflate:1", "chunks=8,40",
                                         "compression.quantize=" + mode + ":" + std::to_string(amount)};
  const auto with = [&](const std::string &store) {
    std::vector<std::string> all = options;
    all.push_back("store=" + store);
    return all;
  };
  write(with("netcdf4"), "ours.nc");
  if (has_peer) write(with("netcdf4_library"), "theirs.nc");
  MPI_Barrier(MPI_COMM_WORLD);
  at_root([&] {
    const NetcdfFile ours("ours.nc");
    for (const char *name : {"wide", "narrow"}) {
      const std::vector<double> found = stored("ours.nc", name);
      check_promise(mode, amount, found, std::string(name) == "wide");
      // BitGroom clears and sets by turns within what it is given at once.
      if (has_peer && mode != "bitgroom") expect_same(found, stored("theirs.nc", name), mode + ", " + name);
    }
    const std::vector<double> axis = ours.values("x", {columns}, -1);
    for (int64_t column = 0; column < columns; ++column)
      require(axis[static_cast<size_t>(column)] == value_at(1, column), "a coordinate was quantized");
  });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (!has_store("netcdf4")) return MPI_Finalize();
  const bool has_peer = has_store("netcdf4_library");
  for (const int bits : {3, 11}) try_mode("bitround", bits, has_peer);
  for (const int digits : {2, 5}) try_mode("granular_bitround", digits, has_peer);
  try_mode("bitgroom", 3, has_peer);
  return MPI_Finalize();
}
