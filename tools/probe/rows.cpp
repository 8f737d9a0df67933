// Measures netCDF's time for a row of a part: compares reading all columns except one, as models do, with all columns,
// which are one stretch of the file.
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "probe.hpp"

namespace sv_probe {

namespace {

constexpr size_t netcdf_levels = 32, netcdf_rows = 2048, netcdf_columns = 16;  // of one record: 4 MiB
constexpr size_t netcdf_cells = netcdf_levels * netcdf_rows * netcdf_columns;

/// A file of one variable, open for reading. Local.
class NarrowRows {
 public:
  explicit NarrowRows(const std::string &path) : path_(path), values_(netcdf_cells, 1.0F) {
    write();
    require(nc_open(path.c_str(), NC_NOWRITE, &file_));
  }
  ~NarrowRows() { nc_close(file_); }  // only read
  NarrowRows(const NarrowRows &) = delete;
  NarrowRows &operator=(const NarrowRows &) = delete;

  void read(size_t of_columns) {
    const std::array<size_t, 4> start{}, count{1, netcdf_levels, netcdf_rows, of_columns};
    require(nc_get_vara_float(file_, 0, start.data(), count.data(), values_.data()));
  }

 private:
  /// In large calls, which storage may take long for.
  void write() {
    constexpr std::array<const char *, 4> names{"time", "level", "row", "column"};
    constexpr std::array<size_t, 4> lengths{NC_UNLIMITED, netcdf_levels, netcdf_rows, netcdf_columns};
    size_t call = netcdf_cells * sizeof(float);
    int before = 0, variable = 0;
    std::array<int, 4> dims{};
    require(nc__create(path_.c_str(), NC_CLOBBER | NC_64BIT_DATA, 0, &call, &file_));
    require(nc_set_fill(file_, NC_NOFILL, &before));
    for (size_t d = 0; d < dims.size(); ++d) require(nc_def_dim(file_, names[d], lengths[d], &dims[d]));
    require(nc_def_var(file_, "field", NC_FLOAT, static_cast<int>(dims.size()), dims.data(), &variable));
    require(nc_enddef(file_));
    const std::array<size_t, 4> start{}, count{1, netcdf_levels, netcdf_rows, netcdf_columns};
    require(nc_put_vara_float(file_, variable, start.data(), count.data(), values_.data()));
    require(nc_close(file_));
  }
  void require(int status) const {
    if (status == NC_NOERR) return;
    throw std::runtime_error(path_ + ": netCDF says: " + nc_strerror(status) +
                             ". Give another folder (--dir), or see to this one");
  }

  const std::string path_;
  std::vector<float> values_;
  int file_ = -1;
};

}  // namespace

void measure_rows(Bench &bench, Measured &measured) {
  std::unique_ptr<NarrowRows> narrow;
  bench.team.time({1}, [&](int /*place*/) {
    narrow = std::make_unique<NarrowRows>(bench.scratch.path());
    narrow->read(netcdf_columns);  // into the cache
  });
  // The shortest of several reads in turn, because other programs disturb more than the difference.
  double whole = std::numeric_limits<double>::infinity(), part = whole;
  const auto shorten = [&](double &shortest, size_t of_columns) {
    shortest = std::min(shortest, bench.team.time({1}, [&](int /*place*/) { narrow->read(of_columns); }).longest);
  };
  for (int turn = 0; turn < 3; ++turn) {
    shorten(whole, netcdf_columns);
    shorten(part, netcdf_columns - 1);
  }
  measured.read_row.push_back(std::max(part - whole, 0.0) / (netcdf_levels * netcdf_rows));
}

}  // namespace sv_probe
