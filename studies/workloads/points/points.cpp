// sv-bench points: an unstructured grid, whose cells belong to any rank in any order, compared with hand-written code.
#include <algorithm>

#include "command.hpp"
#include "costs.hpp"
#include "methods/methods.hpp"
#include "peers.hpp"
#include "points.hpp"
#include "report.hpp"

namespace sv_bench {

namespace {

constexpr int tuned_workers = 2;  // of pnetcdf.reorder: more are slower where they share cores and a local file system

struct PointsOptions {
  PointFile file;
  Ownership ownership;
  std::string partition;           // empty: as configured
  int workers = 0, primaries = 1;  // 0: as Sverdrup chooses
  int64_t varn_limit = 60000;
  bool study = false;
};

std::vector<std::string> settings_of(const PointsOptions &mine, const Options &options,
                                     std::vector<std::string> settings) {
  if (!mine.partition.empty()) settings.push_back("points.partition=" + mine.partition);
  if (mine.workers > 0) settings.insert(settings.end(), {"route=ranges", "writers=" + std::to_string(mine.workers)});
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  return settings;
}

std::vector<Peer> plain_peers(const PointsOptions &mine, const Workload &points, const Workload &blocks,
                              const Options &options) {
  const auto by_sverdrup = [&](const std::string &name, const Workload &workload,
                               const std::vector<std::string> &settings) {
    return sverdrup_peer(name, workload, false, Way::each, settings_of(mine, options, settings));
  };
  const Partition partition = partition_named(mine.partition.empty() ? "ranges" : mine.partition);
  std::vector<Peer> peers{
      by_sverdrup("sverdrup.direct", points, {}),
      by_sverdrup("sverdrup.primaries", points, {"points.primaries=" + std::to_string(mine.primaries)}),
      sverdrup_peer("sverdrup.block", blocks, false, Way::each, options.settings),
      pnetcdf_reorder_peer("pnetcdf.reorder", points, partition,
                           mine.workers > 0 ? mine.workers : std::min(points.team.ranks, tuned_workers)),
      pnetcdf_varn_peer("pnetcdf.varn", points),
      points_floor_peer(points, std::max(1, mine.workers))};
  if (mine.file.cells > mine.varn_limit)
    peers[4].missing = "left out above --varn-limit " + std::to_string(mine.varn_limit) + " cells";
  return peers;
}

// The paper's program with reordering and combined access switched off one by one, compared with Sverdrup, which has no
// such switches: Figs. 10-13 of the paper.
std::vector<Peer> study_peers(const PointsOptions &mine, const Workload &points, const Options &options) {
  const int workers = std::max(1, mine.workers);
  const Partition partition = partition_named(mine.partition.empty() ? "ranges" : mine.partition);
  std::vector<Peer> peers{
      sverdrup_peer("sverdrup.both", points, false, Way::each,
                    settings_of(mine, options, {"points.primaries=" + std::to_string(mine.primaries)}))};
  for (const bool reorder : {false, true}) {
    for (const bool combined : {false, true}) {
      const std::string name = reorder ? combined ? "both" : "reorder" : combined ? "combined" : "off";
      peers.push_back(pnetcdf_paper_peer("pnetcdf." + name, points, {partition, workers, reorder, combined}));
      if (!reorder)
        peers.push_back(
            pnetcdf_paper_peer("pnetcdf." + name + ".each", points, {partition, workers, false, combined, true}));
    }
  }
  peers.push_back(points_floor_peer(points, workers));
  return peers;
}

void check(const PointsOptions &mine, const Team &team) {
  if (mine.workers > team.ranks)
    throw std::invalid_argument("--workers " + std::to_string(mine.workers) + ": there are " +
                                std::to_string(team.ranks) + " ranks");
  if (mine.file.flat + mine.file.layered == 0) throw std::invalid_argument("--vars-1d 0 --vars-2d 0: nothing to write");
}

void run(PointsOptions mine, const Options &options) {
  const Team team(MPI_COMM_WORLD);
  check(mine, team);
  if (!mine.ownership.grid.empty()) {
    mine.ownership.kind = "metis";
    mine.file.cells = cells_of_grid(team, mine.ownership.grid);
  }
  const PointFile &file = mine.file;
  const auto points = point_workload(file, team, owned_cells(team, file.cells, mine.ownership));
  const auto blocks = block_workload(file, team);
  const std::vector<Peer> peers =
      mine.study ? study_peers(mine, *points, options) : plain_peers(mine, *points, *blocks, options);
  const std::string title = std::to_string(file.steps) + " x (" + std::to_string(file.flat) + " variables of " +
                            std::to_string(file.cells) + " " + file.type + " and " + std::to_string(file.layered) +
                            " of " + std::to_string(file.levels) + "x" + std::to_string(file.cells) + "), owned by " +
                            mine.ownership.kind;
  measure({mine.study ? "points_study" : "points",
           title,
           {{"cells", file.cells},
            {"levels", file.levels},
            {"vars_1d", file.flat},
            {"vars_2d", file.layered},
            {"steps", file.steps},
            {"type", file.type},
            {"ownership", mine.ownership.kind},
            {"grid", mine.ownership.grid},
            {"partition", mine.partition},
            {"workers", mine.workers},
            {"primaries", mine.primaries},
            {"runs", count_of_runs(*points)}},
           0,
           add_point_costs},
          *points, peers, options);
}

void add_options(CLI::App &app, PointsOptions &mine) {
  app.add_option("--cells", mine.file.cells, "number of cells of the grid (570000)")->check(CLI::Range(1, 2147483647));
  app.add_option("--levels", mine.file.levels, "number of levels (10)")->check(CLI::Range(1, 100000));
  app.add_option("--vars-1d", mine.file.flat, "number of variables (time, cell) (1)")->check(CLI::Range(0, 1000));
  app.add_option("--vars-2d", mine.file.layered, "number of variables (time, level, cell) (1)")
      ->check(CLI::Range(0, 1000));
  app.add_option("--steps", mine.file.steps, "number of steps; each writes a record (1)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--type", mine.file.type, "type of the values: double or float (double)")
      ->check(CLI::IsMember({"double", "float"}));
  app.add_option("--ownership", mine.ownership.kind,
                 "which rank owns which cells: random, metis, or runs of 64 cells (random)")
      ->check(CLI::IsMember({"random", "metis", "runs"}));
  app.add_option("--grid", mine.ownership.grid, "takes the cells and their owners from this file of sv-grid");
  app.add_option("--partition", mine.partition,
                 "what the workers divide among them: cells, levels or ranges (as configured)")
      ->check(CLI::IsMember({"cells", "levels", "ranges"}));
  app.add_option("--workers", mine.workers, "number of ranks that write (as Sverdrup chooses)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--primaries", mine.primaries,
                 "number of primaries of the methods sverdrup.primaries and, with --study, sverdrup.both (1)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--varn-limit", mine.varn_limit, "largest number of cells for which pnetcdf.varn runs (60000)");
  app.add_flag("--study", mine.study,
               "runs the program of Pang et al. 2023, with PnetCDF, with and without reordering and combined access, "
               "beside Sverdrup with primaries");
}

}  // namespace

Command points_command() {
  const auto mine = std::make_shared<PointsOptions>();
  return {"points", "writes an unstructured grid, whose cells belong to any rank in any order",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
