// Measures the cost of a netCDF-4 file without values: the library makes one of few and one of many variables.
#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <array>
#include <string>

#include "probe.hpp"
#include "support/copying.hpp"

namespace sv_probe {

namespace {

constexpr int few = 1, many = 33;

/// Local: rank 0 alone. False where the store is not built in.
bool make_file(const std::string &path, int variables) {
  const std::array<const char *, 5> options{"async=none", "store=netcdf4", "compression=deflate:1", "chunks=auto",
                                            "summary.table?=false"};
  sv_context *io = nullptr;
  sv_file *file = nullptr;
  sv_tools::must(sv_init(MPI_COMM_SELF, nullptr, static_cast<int>(options.size()), options.data(), &io));
  const int made = sv_create(io, path.c_str(), SV_CLOBBER, &file);
  if (made != SV_OK) {
    sv_finalize(io);
    if (made == SV_ECOMPILED) return false;
    throw std::runtime_error(sv_message());
  }
  constexpr int64_t length = 64;
  std::array<int, 3> dims{};
  sv_tools::must(sv_def_dim(file, "time", SV_UNLIMITED, dims.data()));
  sv_tools::must(sv_def_dim(file, "y", length, &dims[1]));
  sv_tools::must(sv_def_dim(file, "x", length, &dims[2]));
  for (int v = 0; v < variables; ++v) {
    int variable = 0;
    sv_tools::must(sv_def_var(file, ("field" + std::to_string(v)).c_str(), SV_FLOAT, 3, dims.data(), &variable));
  }
  sv_tools::must(sv_enddef(file));
  sv_tools::must(sv_close(file));
  sv_tools::must(sv_finalize(io));
  return true;
}

}  // namespace

void measure_definitions(Bench &bench, Measured &measured) {
  int is_built = 1;
  std::array<double, 2> seconds{};
  for (size_t i = 0; i < seconds.size() && is_built != 0; ++i) {
    seconds[i] =
        bench.team
            .time({1}, [&](int /*place*/) { is_built = make_file(bench.scratch.path(), i == 0 ? few : many) ? 1 : 0; })
            .wall;
    MPI_Bcast(&is_built, 1, MPI_INT, 0, bench.team.comm());
  }
  if (is_built == 0) return;
  const double variable = std::max((seconds[1] - seconds[0]) / (many - few), 0.0);
  measured.netcdf4_file.push_back(std::max(seconds[0] - few * variable, 0.0));
  measured.netcdf4_variable.push_back(variable);
}

}  // namespace sv_probe
