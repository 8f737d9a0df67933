#include "loop.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "baselines.hpp"
#include "command.hpp"
#include "describe.hpp"
#include "methods/methods.hpp"
#include "workload/blocks.hpp"

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

struct Named {
  std::string name, setting;
};

/// Without ranks that serve.
void add_sverdrup(Contest &contest, const Team &all, const Workload *workload, const Named &mode,
                  const Options &options) {
  std::vector<std::string> settings{mode.setting};
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  contest.peers.push_back(peer_of_some(all, workload, mode.name, [settings](const auto &name, const auto &what) {
    return sverdrup_peer(name, what, false, Way::each, settings);
  }));
}

}  // namespace

void describe_loop(const std::string &workload, const Loop &loop, Ranks layout, int clients, const Options &options) {
  complete_layout(layout.x, layout.y, clients);
  const Schema schema = schema_of(loop);
  describe({workload, layout, loop.steps, loop.compute.seconds, {{workload, schema}}}, options);
}

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
  workload->grid = block_grid(loop.rows, loop.columns, {px, py}, team.rank, 1);
  for (int64_t step = 0; step < loop.steps; ++step) {
    for (int64_t v = 0; v < loop.variables; ++v)
      workload->add(block_access(workload->schema, static_cast<int>(v), *workload->grid, step));
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
  contest.peers.push_back(peer_of_some(all, workload, "pnetcdf" + suffix, [](const auto &name, const auto &what) {
    return pnetcdf_peer(name, what, false, Way::each);
  }));
  add_sverdrup(contest, all, workload, {"sverdrup.no_servers" + suffix, "async=none"}, options);
  add_sverdrup(contest, all, workload, {"sverdrup.threads" + suffix, "async=threads"}, options);
}

void add_choosing(Contest &contest, const Team &all, const Workload *workload, const std::string &suffix,
                  const Options &options) {
  add_sverdrup(contest, all, workload, {"sverdrup.auto" + suffix, "async=auto"}, options);
}

}  // namespace sv_bench
