// The resolved request: the grid, the ranks and nodes, and the plan.
#pragma once

#include <memory>
#include <vector>

#include "mask.hpp"
#include "options.hpp"
#include "plan/plan.hpp"
#include "strategy/strategy.hpp"

namespace sv_plan {

struct Scene {
  Options options;
  Mask mask;
  std::shared_ptr<const sv::Layout> layout;
  sv::Topology topology;
  sv::Surroundings surroundings;
  sv::Plan plan;
  std::vector<sv::IoDomain> domains;  // of routes that collect; by y, then x
  std::vector<int> servers;           // ranks that serve those of the layout, ascending; none: these write themselves
  int64_t ring_bytes = 0;             // of each ring of a node with servers

  int64_t field_bytes() const;
  bool collects() const { return plan.route.io_nx > 0; }
  /// Every writer has ranges of the one file; otherwise boxes of the field.
  bool has_ranges() const { return !plan.route.self; }
  bool has_points() const { return layout->points() != nullptr; }
  bool serves() const { return !servers.empty(); }
  /// Every writer has a file of its own.
  bool own_files() const;
};

/// The budget of one half of a node's window for a plan of so many stages.
sv::Budget budget_of(int64_t window_bytes, const sv::Topology &topology, int stages);

/// How the library writes the field into a CDF file, and why, where calls of the system are quick and the memory of the
/// window is in use already.
sv::StrategyChoice strategy_of(const Scene &scene);

/// Throws sv::Error with the reason and the nearest valid request.
Scene make_scene(const Options &options);

/// Of the same field in a file of chunks that all ranks own. `chunk`: of a record, in the field's dimensions.
sv::Plan chunk_plan(const Scene &scene, const sv::Index &chunk);
/// The same, with the owners of this route.
sv::Plan chunk_plan(const Scene &scene, const sv::Index &chunk, const sv::Route &route);

}  // namespace sv_plan
