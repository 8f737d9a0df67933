// sv-grid: prepares the unstructured grid of an ocean model from a topography or a mask.
#include <sverdrup/grid.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "picture.hpp"
#include "support/copying.hpp"
#include "support/program.hpp"

namespace {

struct Options {
  std::string source, out, variable, longitude, latitude, lonlat, picture, order = "full";
  bool is_mask = false, force = false, quiet = false;
  double mask_depth = 4000;
  int64_t cubed_sphere = 0;
  std::vector<int> ranks;
  std::vector<double> level_tops;
};

void add_options(CLI::App &app, Options &options) {
  app.add_option("SOURCE", options.source, "a netCDF file with the topography, or (--mask) a mask")->required();
  app.add_option("OUT", options.out, "the grid to write: a netCDF file (UGRID)")->required();
  auto *const lonlat =
      app.add_option("--lonlat", options.lonlat, "NXxNY: grid of longitudes x latitudes on the whole sphere");
  auto *const cube = app.add_option("--cubed-sphere", options.cubed_sphere, "N: grid of six faces of N x N cells");
  lonlat->excludes(cube);
  app.add_option("--variable", options.variable, "variable of the topography in SOURCE (found by its attributes)");
  app.add_option("--longitude", options.longitude, "variable of the longitudes in SOURCE (found by its attributes)");
  app.add_option("--latitude", options.latitude, "variable of the latitudes in SOURCE (found by its attributes)");
  app.add_flag("--mask", options.is_mask, "the variable is a mask; cells are wet if it is not 0");
  app.add_option("--mask-depth", options.mask_depth, "depth of the wet cells of a mask, in m (4000)")
      ->check(CLI::PositiveNumber);
  app.add_option("--order", options.order, "order of the cells: full (index in the full grid) or curve (Hilbert)")
      ->check(CLI::IsMember({"full", "curve"}));
  app.add_option("--ranks", options.ranks, "numbers of ranks for which the grid is partitioned, as in 16,128,1024")
      ->delimiter(',');
  app.add_option("--level-tops", options.level_tops,
                 "depths in m at which levels begin; the weight of a cell is its number of levels instead of 1")
      ->delimiter(',');
  app.add_option("--picture", options.picture, "draws the first partition into this file (SVG)");
  app.add_flag("-f,--force", options.force, "write OUT even if it exists");
  app.add_flag("-q,--quiet", options.quiet, "prints no tables");
}

const char *or_null(const std::string &text) { return text.empty() ? nullptr : text.c_str(); }

/// Borrows the texts and lists of `options`.
sv_grid_request request_of(const Options &options) {
  sv_grid_request request{};
  request.source = options.source.c_str();
  request.variable = or_null(options.variable);
  request.longitude = or_null(options.longitude);
  request.latitude = or_null(options.latitude);
  request.is_mask = options.is_mask ? 1 : 0;
  request.mask_depth_m = options.mask_depth;
  request.order = options.order == "curve" ? SV_GRID_CURVE : SV_GRID_FULL_INDEX;
  request.n_partitions = static_cast<int>(options.ranks.size());
  request.ranks = options.ranks.data();
  request.n_levels = static_cast<int>(options.level_tops.size());
  request.level_tops = options.level_tops.data();
  if (options.lonlat.empty()) {
    if (options.cubed_sphere == 0) throw CLI::ValidationError("no grid. Give --lonlat NXxNY or --cubed-sphere N");
    request.kind = SV_GRID_CUBED_SPHERE;
    request.nx = options.cubed_sphere;
    return request;
  }
  long long nx = 0, ny = 0;
  int end = 0;
  if (std::sscanf(options.lonlat.c_str(), "%lldx%lld%n", &nx, &ny, &end) != 2 ||
      end != static_cast<int>(options.lonlat.size()))
    throw CLI::ValidationError("--lonlat " + options.lonlat + " is no size. Give it as 4320x2160");
  request.kind = SV_GRID_LONLAT;
  request.nx = nx, request.ny = ny;
  return request;
}

void print(const Options &options, const sv_grid_report &report) {
  constexpr const char *steps[SV_GRID_STEPS] = {"read", "map", "remove land", "number", "graph", "METIS", "write"};
  const auto percent = [&](int64_t cells) {
    return 100 * static_cast<double>(cells) / static_cast<double>(report.full_cells);
  };
  const int64_t dropped = report.full_cells - report.kept_cells, land = report.kept_cells - report.ocean_cells;
  const auto line = [&](const char *what, int64_t cells) {
    std::printf("%-22s %12lld %6.2f %%\n", what, static_cast<long long>(cells), percent(cells));
  };
  line("full grid", report.full_cells);
  line("kept", report.kept_cells);
  line("  ocean", report.ocean_cells);
  line("  land next to ocean", land);
  line("dropped", dropped);
  std::printf("\n%-14s %9s %12s\n", "step", "seconds", "peak MiB");
  for (int i = 0; i < SV_GRID_STEPS; ++i)
    std::printf("%-14s %9.2f %12.0f\n", steps[i], report.seconds[i],
                static_cast<double>(report.peak_bytes[i]) / 1048576);
  if (!options.ranks.empty()) std::printf("\n%8s %12s %10s %9s\n", "ranks", "edge cut", "imbalance", "seconds");
  for (size_t i = 0; i < options.ranks.size(); ++i) {
    const sv_grid_partition &one = report.partitions[i];
    std::printf("%8d %12lld %10.4f %9.2f\n", one.ranks, static_cast<long long>(one.edge_cut), one.imbalance,
                one.seconds);
  }
}

void work(const Options &options) {
  const sv_grid_request request = request_of(options);
  if (!options.picture.empty() && options.ranks.empty())
    throw CLI::ValidationError("--picture shows a partition. Give --ranks too");
  sv_tools::together(MPI_COMM_WORLD, [&] {
    if (!options.force && std::filesystem::exists(options.out))
      throw std::runtime_error("'" + options.out + "' exists. Remove it, or say --force");
  });
  std::vector<sv_grid_partition> partitions(options.ranks.size());
  sv_grid_report report{};
  report.partitions = partitions.data();
  sv_tools::must(sv_prepare_grid(MPI_COMM_WORLD, &request, options.out.c_str(), &report));
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && !options.quiet) print(options, report);
  sv_tools::together(MPI_COMM_WORLD, [&] {
    if (rank == 0 && !options.picture.empty())
      sv_tools::draw_partition(options.out, options.ranks.front(), options.picture);
  });
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{
      "Prepares the grid of an ocean model: removes land that is no neighbour of ocean, numbers the other cells, finds "
      "their neighbours, partitions them with METIS, and writes all of it as a netCDF file.",
      "sv-grid"};
  add_options(app, options);
  return sv_tools::run(app, argc, argv, [&options] { work(options); });
}
