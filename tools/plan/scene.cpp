#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "plan/pieces.hpp"
#include "plan/plan.hpp"
#include "plan/roles.hpp"
#include "plan/serving.hpp"
#include "plan/stretches.hpp"
#include "plan/stripe_choice.hpp"
#include "points.hpp"

namespace sv_plan {

namespace {

using sv::Error;
using sv::Status;

/// A header, then the field and nothing else.
class OneField final : public sv::ExtentMap {
 public:
  explicit OneField(const sv::Field &field)
      : begin_(field.offset_bytes), end_(begin_ + field.shape.product() * field.element_bytes) {}
  sv::Extent covering(int64_t offset_bytes) const override {
    return offset_bytes < begin_ ? sv::Extent{0, begin_} : sv::Extent{begin_, end_};
  }

 private:
  int64_t begin_, end_;
};

std::string times(int64_t x, int64_t y) { return std::to_string(x) + "x" + std::to_string(y); }

/// The divisors of `ranks` nearest to each other, the smaller one for x, as sv-bench has it: the other way round only
/// where the grid has no room for that. None where no pair fits.
std::optional<std::pair<int, int>> square(int64_t ranks, int64_t nx, int64_t ny) {
  for (auto a = static_cast<int64_t>(std::sqrt(static_cast<double>(ranks)) + 0.5); a >= 1; --a) {
    if (ranks % a != 0) continue;
    const auto small = static_cast<int>(std::min(a, ranks / a)), large = static_cast<int>(std::max(a, ranks / a));
    if (small <= nx && large <= ny) return std::pair(small, large);
    if (large <= nx && small <= ny) return std::pair(large, small);
  }
  return std::nullopt;
}

std::pair<int, int> layout_of_ranks(int64_t ranks, int64_t nx, int64_t ny) {
  if (const auto found = square(ranks, nx, ny)) return *found;
  int64_t nearest = 1;
  for (int64_t distance = 1; distance < ranks && nearest == 1; ++distance) {
    if (square(ranks - distance, nx, ny)) nearest = ranks - distance;
  }
  throw Error(Status::layout,
              std::to_string(ranks) + " ranks cannot be laid out on " + times(nx, ny) + " cells with a cell for each",
              "The nearest number of ranks that can is " + std::to_string(nearest));
}

void check_layout(const Options &options, const Mask &mask) {
  const int64_t nx = options.shape[2], ny = options.shape[1];
  if (mask.px > nx || mask.py > ny) {
    throw Error(Status::layout,
                "a layout of " + times(mask.px, mask.py) + " has more blocks than the grid has cells (" +
                    times(nx, ny) + ", x first)",
                "The nearest valid request is --layout " +
                    times(std::min<int64_t>(mask.px, nx), std::min<int64_t>(mask.py, ny)));
  }
  if (options.ranks > 0 && options.ranks != mask.ranks()) {
    throw Error(Status::layout,
                "--ranks " + std::to_string(options.ranks) + " does not go with " + times(mask.px, mask.py) +
                    " blocks, of which " + std::to_string(mask.ranks()) + " have a rank",
                "The nearest valid request is --ranks " + std::to_string(mask.ranks()) + ", or none");
  }
  if (options.rank >= mask.ranks()) {
    throw Error(Status::invalid, "there is no rank " + std::to_string(options.rank),
                "Ranks are 0 to " + std::to_string(mask.ranks() - 1));
  }
}

Mask mask_of(const Options &options) {
  Mask mask;
  if (!options.mask.empty()) {
    mask = read_mask(options.mask);
    if (options.px > 0 && (options.px != mask.px || options.py != mask.py))
      throw Error(Status::layout,
                  "--layout " + times(options.px, options.py) + " does not go with a mask of " +
                      times(mask.px, mask.py) + " blocks",
                  "The nearest valid request is --layout " + times(mask.px, mask.py) + ", or none")
          .in_file(options.mask);
  } else if (options.px > 0) {
    mask = unmasked(options.px, options.py);
  } else {
    const auto [px, py] = layout_of_ranks(options.ranks > 0 ? options.ranks : 16, options.shape[2], options.shape[1]);
    mask = unmasked(px, py);
  }
  check_layout(options, mask);
  return mask;
}

std::shared_ptr<const sv::Layout> layout_of(const Mask &mask, int64_t nx, int64_t ny) {
  if (mask.ranks() == mask.px * mask.py) return sv::block_layout(nx, ny, mask.px, mask.py);
  return sv::masked_block_layout(nx, ny, mask.px, mask.py, mask.has_rank);
}

/// All in a row, as if they had a block each.
Mask ranks_of_points(const Options &options) {
  Mask mask = unmasked(static_cast<int>(options.ranks > 0 ? options.ranks : 16), 1);
  if (options.px > 0 && options.ranks == 0) mask = unmasked(options.px * options.py, 1);
  return mask;
}

bool asks_for_ranges(const sv::RouteRequest &route) {
  return route.io_nx == 0 && (route.name == "auto" || route.name == "ranges" || route.name == "serial");
}

sv::Route route_of(const Options &options, const Scene &scene) {
  if (!scene.has_points()) return sv::resolve(options.route, *scene.layout, scene.topology, scene.surroundings);
  if (!asks_for_ranges(options.route) || options.route.writers.kind == sv::Writers::Kind::self)
    throw Error(Status::invalid, "plans of points are shown for writers that own ranges of the file",
                "Ask for the route 'auto', 'ranges' or 'serial', and no io_layout");
  return sv::with_points(sv::resolve(options.route, *scene.layout, scene.topology, scene.surroundings),
                         {options.partition, 0});
}

/// Adds the ranks that serve to those of the layout, on the same nodes, and plans for them as src/servers does.
void add_servers(const Options &options, Scene &scene) {
  if (!asks_for_ranges(options.route))
    throw Error(Status::invalid,
                "servers own ranges of a file, so the route '" + options.route.name + "' has no effect",
                "Ask for the route 'auto', 'ranges' or 'serial', and no io_layout");
  if (!options.svg.empty() || options.chunks)
    throw Error(Status::invalid, "--svg and --chunks show ranks that write by themselves", "Leave --servers out");
  const int all = scene.layout->ranks() + options.servers;
  scene.topology = sv::Topology::uniform(all, options.per_node);
  scene.servers = sv::servers_of({sv::ServerRequest::Kind::count, options.servers}, scene.topology);
  std::vector<int> clients;
  for (int rank = 0; rank < all; ++rank)
    if (!std::binary_search(scene.servers.begin(), scene.servers.end(), rank)) clients.push_back(rank);
  scene.layout = sv::among_all(*scene.layout, clients, all);
  const int most = scene.topology.most_on_a_node(scene.servers);
  scene.ring_bytes =
      sv::ring_bytes_of(options.server_memory_bytes, sv::rings_of_node(most, 1, scene.topology.nodes() > 1));
}

sv::Route served_route(const Options &options, const Scene &scene) {
  sv::Route route{"ranges", 0, 0, false, scene.servers, {}};
  route.writers.resize(static_cast<size_t>(sv::served_owners(options.route, scene.servers.size())));
  const auto writers = std::to_string(route.writers.size()), servers = std::to_string(scene.servers.size());
  route.reason = (writers == servers ? writers : writers + " of " + servers) +
                 (servers == "1" ? " server writes" : " servers write") + " while the others compute";
  return route;
}

}  // namespace

// As Window::budget of src/transport, which needs MPI.
sv::Budget budget_of(int64_t window_bytes, const sv::Topology &topology, int stages) {
  constexpr int64_t page = 4096, largest_message = 1 << 30, areas = 3;
  const int64_t half = (window_bytes + page - 1) / page * page / 2 / page * page;
  if (topology.nodes() == 1) return {half / stages / page * page, 0};
  const int64_t part = std::min(half / stages / areas / page * page, largest_message);
  return {part, part};
}

int64_t Scene::field_bytes() const { return plan.field.shape.product() * plan.field.element_bytes; }

bool Scene::own_files() const { return plan.route.name == "per_pe" || plan.route.name == "per_domain"; }

namespace {

/// As the home of a new file chooses them (src/file/home.cpp), for a step that is this field.
sv::FileStripes chosen_stripes(const Scene &scene) {
  const Options &options = scene.options;
  const bool chooses = options.route.chooses_owners();
  const int writers = !chooses                         ? scene.layout->ranks()
                      : options.route.name == "serial" ? 1
                                                       : sv::nearest_writers(options.route.writers, scene.topology).n;
  const int64_t bytes = options.shape[0] * options.shape[1] * options.shape[2] * options.element_bytes;
  return sv::choose_stripes({.count = sv::StripeRequest::Count::automatic},
                            {options.targets, options.stripe_bytes, bytes, writers});
}

}  // namespace

Scene make_scene(const Options &options) {
  Scene scene;
  scene.options = options;
  scene.mask = options.points.empty() ? mask_of(options) : ranks_of_points(options);
  if (options.points.empty())
    scene.layout = layout_of(scene.mask, options.shape[2], options.shape[1]);
  else
    scene.layout = point_layout(options.points, {options.shape[1], options.shape[2]}, scene.mask.ranks());
  scene.topology = sv::Topology::uniform(scene.layout->ranks(), options.per_node);
  if (options.targets > 0) scene.options.stripe_count = chosen_stripes(scene).count;
  // Several nodes can only write one file where they share the file system.
  scene.surroundings = {options.shared_fs.value_or(scene.topology.nodes() > 1), options.stripe_bytes,
                        scene.options.stripe_count};
  const sv::Field field{
      {options.shape[0], options.shape[1], options.shape[2]}, 1, options.element_bytes, options.offset_bytes};
  if (options.serves()) add_servers(options, scene);
  const sv::Route route = scene.serves() ? served_route(options, scene) : route_of(options, scene);
  const int stages = route.io_nx > 0 && !route.self ? 2 : 1;
  if (route.io_nx > 0) scene.domains = sv::io_domains(*scene.layout, route.io_nx, route.io_ny);
  std::vector<sv::Territory> pieces = sv::pieces_of(*scene.layout, route);
  for (auto &[rank, box] : pieces)  // with all levels
    box = {{0, box.start[0], box.start[1]}, {options.shape[0], box.count[0], box.count[1]}};
  const sv::Budget budget = scene.serves() ? sv::served_budget(scene.ring_bytes, route.writers, scene.topology)
                                           : budget_of(options.window_bytes, scene.topology, stages);
  scene.plan = sv::make_plan(scene.layout, field, route,
                             {scene.topology, OneField(field), options.stripe_bytes, budget, pieces});
  return scene;
}

sv::Plan chunk_plan(const Scene &scene, const sv::Index &chunk) {
  sv::RouteRequest all;
  all.name = "ranges";
  all.writers = {sv::Writers::Kind::count, scene.topology.ranks()};
  return chunk_plan(scene, chunk, sv::resolve(all, *scene.layout, scene.topology, scene.surroundings));
}

sv::Plan chunk_plan(const Scene &scene, const sv::Index &chunk, const sv::Route &route) {
  const Options &options = scene.options;
  sv::Field field = scene.plan.field;
  field.chunk = chunk;
  return sv::make_plan(
      scene.layout, field, route,
      {scene.topology, OneField(field), options.stripe_bytes, budget_of(options.window_bytes, scene.topology, 1)});
}

sv::StrategyChoice strategy_of(const Scene &scene) {
  const sv::Sinks &sinks = scene.plan.stages.back().sinks;
  const auto long_stretches = [&scene] { return sv::has_long_stretches(scene.plan, *scene.layout); };
  const auto fits_gate = [&] {
    if (scene.plan.rounds != 1 || sinks.size() == 0) return false;
    for (size_t s = 1; s < sinks.size(); ++s)
      if (sinks.rank(s) != sinks.rank(0)) return false;
    return scene.topology.nodes() == 1 || scene.field_bytes() <= sv::most_sent_bytes;
  };
  sv::Facts facts = sv::with_plan({}, scene.plan, *scene.layout);
  facts.one_rank = scene.topology.ranks() == 1;
  facts.one_node = scene.topology.nodes() == 1;
  facts.served = scene.serves();
  facts.placed_here = facts.one_writer = !facts.served;
  facts.has_offsets = !scene.own_files();
  facts.sees_writes = !scene.surroundings.shared_file_system && !scene.surroundings.late;
  facts.open_route = scene.options.route.is_open();
  facts.fills = scene.layout->has_holes();
  facts.long_stretches = sv::LazyFact::by(long_stretches);
  facts.fits_gate = sv::LazyFact::by(fits_gate);
  return sv::choose_writing(facts);
}

}  // namespace sv_plan
