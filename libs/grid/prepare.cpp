// grid.h: the steps, one after the other.
#include <sys/resource.h>

#include <algorithm>
#include <set>

#include "graph.hpp"
#include "kept.hpp"
#include "mapping.hpp"
#include "partition.hpp"
#include "source.hpp"
#include "ugrid_file.hpp"

namespace sv::grid {

namespace {

void check_request(const sv_grid_request *request, const char *path) {
  const auto require = [](bool holds, const std::string &cause, const char *remedy) {
    if (!holds) throw Failure(SV_EINVAL, "sv_prepare_grid: " + cause, remedy);
  };
  require(request != nullptr && path != nullptr, "a null pointer for the request or the path", "See grid.h");
  require(request->source != nullptr, "the request names no source", "Name a netCDF file with the topography");
  require(request->order == SV_GRID_FULL_INDEX || request->order == SV_GRID_CURVE,
          "there is no order " + std::to_string(request->order), "Use SV_GRID_FULL_INDEX or SV_GRID_CURVE");
  require(request->n_partitions == 0 || request->ranks != nullptr, "partitions without numbers of ranks", "See grid.h");
  std::set<int> seen;
  for (int i = 0; i < request->n_partitions; ++i) {
    const int ranks = request->ranks[i];
    require(ranks > 0, "a partition over " + std::to_string(ranks) + " ranks", "Give 1 or more");
    require(seen.insert(ranks).second, std::to_string(ranks) + " ranks are asked for twice", "Give each number once");
  }
  require(request->n_levels == 0 || request->level_tops != nullptr, "levels without depths", "See grid.h");
  for (int i = 1; i < request->n_levels; ++i)
    require(request->level_tops[i - 1] < request->level_tops[i],
            "level " + std::to_string(i) + " does not begin below the one before", "Give increasing depths");
}

int64_t peak_bytes() {
  struct rusage usage {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return int64_t{usage.ru_maxrss} * 1024;
}

class Preparation {
 public:
  Preparation(Run &run, const sv_grid_request &request) : run_(run), request_(request) {}

  sv_grid_report make(const FullGrid &grid, const char *path) {
    report_.full_cells = grid.cells();
    Source source;
    timed(SV_GRID_READ, [&] { source = read_source(run_, request_); });
    on_root(SV_GRID_MAP, [&] { depths_ = map_depths(source, grid); });
    source = {};
    std::vector<int32_t> kept;
    on_root(SV_GRID_REMOVE, [&] { kept = keep(grid); });
    on_root(SV_GRID_NUMBER, [&] {
      if (request_.order == SV_GRID_CURVE) number_along_curve(grid, kept);
    });
    Graph graph;
    on_root(SV_GRID_GRAPH, [&] {
      mesh_ = make_mesh(grid, std::move(kept));
      graph = make_graph(mesh_, depths_, request_);
      report_.nodes = mesh_.nodes();
    });
    partitions_.resize(static_cast<size_t>(request_.n_partitions));
    on_root(SV_GRID_METIS, [&] {
      for (size_t i = 0; i < partitions_.size(); ++i) partitions_[i] = make_partition(graph, request_.ranks[i]);
    });
    graph = {};
    run_.share(&report_, 1);
    for (Partition &partition : partitions_) run_.share(&partition.facts, 1);
    timed(SV_GRID_WRITE, [&] { write_file(run_, {grid, mesh_, depths_, partitions_, request_, report_}, path); });
    run_.share(&report_, 1);
    return report_;
  }

  const std::vector<Partition> &partitions() const { return partitions_; }

 private:
  std::vector<int32_t> keep(const FullGrid &grid) {
    std::vector<int32_t> kept = remove_land(grid, depths_);
    if (kept.empty())
      throw Failure(SV_EFORMAT, std::string(request_.source) + ": the grid has no ocean",
                    "Is the variable a mask, or positive down without saying so (attribute positive)?");
    report_.kept_cells = static_cast<int64_t>(kept.size());
    report_.ocean_cells = std::count_if(depths_.begin(), depths_.end(), [](float depth) { return depth > 0; });
    return kept;
  }

  void timed(sv_grid_step step, const std::function<void()> &work) {
    const double begin = MPI_Wtime();
    work();
    report_.seconds[step] = MPI_Wtime() - begin;
    report_.peak_bytes[step] = peak_bytes();
  }
  void on_root(sv_grid_step step, const std::function<void()> &work) {
    timed(step, [&] { run_.on_root(work); });
  }

  Run &run_;
  const sv_grid_request &request_;
  sv_grid_report report_{};
  std::vector<float> depths_;  // of the full grid
  Mesh mesh_;
  std::vector<Partition> partitions_;
};

void prepare(Run &run, const sv_grid_request *request, const char *path, sv_grid_report *report) {
  std::unique_ptr<FullGrid> grid;
  run.on_all([&] {
    check_request(request, path);
    grid = make_full_grid(*request);
  });
  Preparation preparation(run, *request);
  sv_grid_report found = preparation.make(*grid, path);
  run.finish();
  if (report == nullptr) return;
  found.partitions = report->partitions;
  *report = found;
  if (report->partitions == nullptr) return;
  std::transform(preparation.partitions().begin(), preparation.partitions().end(), report->partitions,
                 [](const Partition &partition) { return partition.facts; });
}

}  // namespace

}  // namespace sv::grid

using namespace sv::grid;

extern "C" {

int sv_prepare_grid(MPI_Comm comm, const sv_grid_request *request, const char *path, sv_grid_report *report) {
  try {
    Run run(comm);
    try {
      prepare(run, request, path, report);
    } catch (...) {
      run.close();
      throw;
    }
    return SV_OK;
  } catch (const ReportedFailure &failure) {
    return failure.status;
  } catch (const std::bad_alloc &) {
    return SV_ENOMEM;
  } catch (...) {
    return SV_EINTERNAL;
  }
}

int sv_prepare_grid_fortran(MPI_Fint comm, const sv_grid_request *request, const char *path, sv_grid_report *report) {
  return sv_prepare_grid(MPI_Comm_f2c(comm), request, path, report);
}
}
