#include "loop.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "baselines.hpp"
#include "command.hpp"
#include "methods/methods.hpp"

namespace sv_bench {

namespace {

constexpr int64_t value_bytes = 8, most_levels = 50, cells_of_a_small_level = 64 * 64;

Schema schema_of(const Loop &loop) {
  Schema schema;
  if (loop.records) {
    schema.dims.push_back({"time", 0});
    schema.records = loop.steps;
  }
  if (loop.levels > 1) schema.dims.push_back({"lev", loop.levels});
  schema.dims.push_back({"lat", loop.rows});
  schema.dims.push_back({"lon", loop.columns});
  std::vector<int> dims;
  for (size_t d = 0; d < schema.dims.size(); ++d) dims.push_back(static_cast<int>(d));
  for (int64_t v = 0; v < loop.variables; ++v)
    schema.variables.push_back({"v" + std::to_string(v), element_type("double"), dims});
  return schema;
}

Grid grid_of(const Loop &loop, int rank, int px, int py) {
  Grid grid{{loop.rows, loop.columns}, {0, 0}, {0, 0}, {1, 1, 1, 1}};
  const int status = sv_block(loop.rows, py, rank / px, &grid.start[0], &grid.count[0]) |
                     sv_block(loop.columns, px, rank % px, &grid.start[1], &grid.count[1]);
  if (status != SV_OK) throw std::runtime_error(std::string("sv_block: ") + sv_message());
  return grid;
}

Access access_of(const Loop &loop, const Grid &grid, int64_t variable, int64_t record) {
  Region region;
  Frame frame;
  const auto add = [&](int64_t start, int64_t count, int64_t guard) {
    region.start.push_back(start);
    region.count.push_back(count);
    frame.start.push_back(guard);
    frame.shape.push_back(count + 2 * guard);
  };
  if (loop.records) add(record, 1, 0);
  if (loop.levels > 1) add(0, loop.levels, 0);
  add(grid.start[0], grid.count[0], 1);
  add(grid.start[1], grid.count[1], 1);
  return {static_cast<int>(variable), {region}, frame};
}

}  // namespace

void set_bytes(Loop &loop, int64_t bytes) {
  const int64_t values = std::max<int64_t>(1, bytes / value_bytes);
  loop.levels = std::clamp<int64_t>(values / cells_of_a_small_level, 1, most_levels);
  loop.rows = loop.columns = std::max<int64_t>(1, std::llround(std::sqrt(static_cast<double>(values / loop.levels))));
}

std::unique_ptr<Workload> workload_of(const Loop &loop, const Team &team, int px, int py) {
  complete_layout(px, py, team.ranks);
  if (loop.rows < py || loop.columns < px)
    throw std::invalid_argument("a field of " + std::to_string(loop.rows) + "x" + std::to_string(loop.columns) +
                                " cannot be divided among " + std::to_string(py) + "x" + std::to_string(px) +
                                " ranks: ask for more bytes");
  auto workload = std::make_unique<Workload>(team.comm, schema_of(loop));
  workload->reuse_memory();
  workload->grid = grid_of(loop, team.rank, px, py);
  for (int64_t step = 0; step < loop.steps; ++step) {
    for (int64_t v = 0; v < loop.variables; ++v) workload->add(access_of(loop, *workload->grid, v, step));
    workload->end_step();
  }
  workload->fill();
  workload->model = std::make_shared<TimedModel>(*workload, loop.compute, px, py);
  return workload;
}

void add_references(Contest &contest, const Team &all, const Workload *workload, const std::string &suffix) {
  contest.peers.push_back(peer_of_some(all, workload, "no_output" + suffix, no_output_peer));
  contest.peers.push_back(peer_of_some(all, workload, "pack" + suffix, pack_peer));
}

void add_libraries(Contest &contest, const Team &all, const Workload *workload, const std::string &suffix,
                   const Options &options) {
  std::vector<std::string> settings = options.settings;
  settings.insert(settings.begin(), "servers=0");
  contest.peers.push_back(peer_of_some(all, workload, "pnetcdf" + suffix, [](const auto &name, const auto &what) {
    return pnetcdf_peer(name, what, false, Way::each);
  }));
  contest.peers.push_back(
      peer_of_some(all, workload, "sverdrup.no_servers" + suffix, [settings](const auto &name, const auto &what) {
        return sverdrup_peer(name, what, false, Way::each, settings);
      }));
}

}  // namespace sv_bench
