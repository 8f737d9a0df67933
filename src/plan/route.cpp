#include "plan/route.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"

namespace sv {

namespace {

using Kind = Writers::Kind;

std::string text_of(const Writers &writers) {
  switch (writers.kind) {
    case Kind::automatic:
      return "auto";
    case Kind::self:
      return "self";
    case Kind::count:
      return std::to_string(writers.n);
    case Kind::per_node:
      return std::to_string(writers.n) + " per node";
  }
  return {};
}

std::string text_of_io_layout(int nx, int ny) { return std::to_string(nx) + "," + std::to_string(ny); }

bool has_io_layout(const RouteRequest &request) { return request.io_nx != 0 || request.io_ny != 0; }

std::string plural(int64_t n, const std::string &noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

[[noreturn]] void refuse_io_layout(const RouteRequest &request) {
  throw Error(
      Status::invalid,
      "the route '" + request.name +
          "' takes no io_layout, but io_layout = " + text_of_io_layout(request.io_nx, request.io_ny) + " is given",
      "The nearest valid request is the route 'domains' with this io_layout, or '" + request.name + "' without");
}

[[noreturn]] void refuse_writers(const RouteRequest &request, const std::string &why, const std::string &nearest) {
  throw Error(Status::invalid,
              "the route '" + request.name + "' does not go with writers = " + text_of(request.writers) + ": " + why,
              "The nearest valid request is " + nearest);
}

void check_name(const std::string &name) {
  const std::vector<std::string> &names = route_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string list;
  for (const std::string &known : names) list += (list.empty() ? "" : ", ") + known;
  throw Error(Status::invalid, "there is no route '" + name + "'", "The routes are " + list);
}

/// As many as there can be.
int most_writers(const Writers &writers, const Topology &topology) {
  if (writers.kind != Kind::per_node) return topology.ranks();
  size_t most = 0;
  for (const std::vector<int> &ranks : topology.ranks_of) most = std::max(most, ranks.size());
  return static_cast<int>(most);
}

void check_writers(const Writers &writers, const Topology &topology) {
  const Writers nearest = nearest_writers(writers, topology);
  if (nearest.n == writers.n) return;
  const std::string most = plural(most_writers(writers, topology), "rank");
  throw Error(Status::invalid,
              "writers = " + text_of(writers) + " is asked for, but there are " +
                  (writers.kind == Kind::per_node ? "at most " + most + " on a node" : most),
              "The nearest valid request is writers = " + text_of(nearest));
}

/// The ranks that own ranges, for writers = n or n per node.
std::vector<int> chosen_writers(const Writers &writers, const Topology &topology) {
  if (writers.kind == Kind::count) return spread_writers(writers.n, topology);
  std::vector<int> chosen;
  for (const std::vector<int> &ranks : topology.ranks_of) {
    const size_t n = std::min(ranks.size(), static_cast<size_t>(writers.n));
    chosen.insert(chosen.end(), ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(n));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

struct Choice {
  int writers;
  std::string reason;
  int64_t whole_bytes = 0;
};

/// The default number of writers that own ranges. On one node, and on a file system that nodes do not share, they would
/// all take turns at the inode lock of the file (docs: measured, several writers of one local file do not scale). A
/// parallel file system serves every node; more than a few writers per stripe of the file only contend for the same
/// storage target, and fewer than one leave targets idle (Yang et al. 2020: best with as many of one as of the other).
/// Where stripes have no locks, little data all go to the rank where gates between nodes end, which asks no other one.
Choice auto_writers(const Topology &topology, const Surroundings &surroundings) {
  if (topology.nodes() == 1) {
    return {1, "all " + plural(topology.ranks(), "rank") +
                   " are on one node, where several writers of one file would wait for its lock, so one writes all but "
                   "long stretches, which the ranks that have them write"};
  }
  if (!surroundings.shared_file_system) {
    return {topology.nodes(),
            "one writer on each of " + plural(topology.nodes(), "node") + ", so that " +
                plural(topology.ranks(), "rank") +
                " send one message per node, writer and round; "
                "long stretches are written by the ranks that have them, small fields by the first",
            most_sent_bytes};
  }
  constexpr int writers_per_stripe = 4, always_served = 16;
  const int served = std::max(always_served, writers_per_stripe * surroundings.stripe_count);
  if (surroundings.stripe_count > topology.nodes()) {
    const int writers = std::min(topology.ranks(), surroundings.stripe_count);
    return {writers, plural(writers, "writer") + " on " + plural(topology.nodes(), "node") +
                         " of a shared file system with a stripe count of " +
                         std::to_string(surroundings.stripe_count) + ": one per stripe, so that no target waits"};
  }
  const int writers = std::min(topology.nodes(), served);
  return {writers, plural(writers, "writer") + " on " + plural(topology.nodes(), "node") +
                       " of a shared file system with a stripe count of " + std::to_string(surroundings.stripe_count) +
                       ": one per node, at most " + std::to_string(served) + " for so many stripes"};
}

Route resolve_serial(const RouteRequest &request, const Topology &topology) {
  const Writers &writers = request.writers;
  if (has_io_layout(request)) refuse_io_layout(request);
  if (writers.kind != Kind::automatic && !(writers.kind == Kind::count && writers.n == 1)) {
    refuse_writers(request, "one rank writes", "the route 'ranges' with these writers, or 'serial' with writers = 1");
  }
  return {"serial", 0, 0, false, spread_writers(1, topology), "one rank writes, as was asked for"};
}

Route resolve_shared(const RouteRequest &request, const Topology &topology) {
  if (has_io_layout(request)) refuse_io_layout(request);
  if (request.counts_writers()) {
    refuse_writers(request, "every rank writes its own block",
                   "the route 'ranges' with these writers, or 'shared' with writers = self");
  }
  return {"shared", 0,  0,
          true,     {}, "each of " + plural(topology.ranks(), "rank") + " writes its own block, as was asked for"};
}

Route resolve_per_pe(const RouteRequest &request, const Layout &layout) {
  if (has_io_layout(request)) refuse_io_layout(request);
  if (request.counts_writers())
    refuse_writers(request, "every rank writes a file of its own",
                   "the route 'ranges' with these writers, or 'per_pe' with writers = self");
  return {"per_pe",
          0,
          0,
          true,
          {},
          plural(static_cast<int64_t>(layout.patches().size()), "block") +
              (layout.patches().size() == 1 ? " has" : " have") +
              " a file each, written by the rank that owns it, as was asked for"};
}

Route resolve_ranges(const RouteRequest &request, const Topology &topology, const Surroundings &surroundings) {
  if (has_io_layout(request)) refuse_io_layout(request);
  if (request.writers.kind == Kind::self) {
    refuse_writers(request, "ranges of the file have owners", "the route 'shared', or 'ranges' with writers = auto");
  }
  if (request.writers.kind == Kind::automatic) {
    const Choice choice = auto_writers(topology, surroundings);
    Route route{"ranges", 0, 0, false, spread_writers(choice.writers, topology), choice.reason};
    route.whole_bytes = choice.whole_bytes;
    return route;
  }
  std::vector<int> writers = chosen_writers(request.writers, topology);
  const std::string reason = plural(static_cast<int64_t>(writers.size()), "writer") + " on " +
                             plural(topology.nodes(), "node") + ", as was asked for";
  return {"ranges", 0, 0, false, std::move(writers), reason};
}

/// Sets the io_layout that the name or the nodes imply, where none is given.
RouteRequest with_io_layout(RouteRequest request, const Layout &layout, const Topology &topology) {
  const ProcessGrid grid = process_grid(layout);
  if (request.name == "row" || request.name == "column") {
    if (has_io_layout(request)) refuse_io_layout(request);
    request.io_nx = request.name == "row" ? 1 : grid.columns;
    request.io_ny = request.name == "row" ? grid.rows : 1;
  } else if (!has_io_layout(request)) {
    request.io_nx = 1;
    request.io_ny = std::min(topology.nodes(), grid.rows);
  }
  return request;
}

std::shared_ptr<const Layout> layout_of_domains(const Layout &layout, const RouteRequest &request) {
  std::vector<Patch> patches;
  for (const IoDomain &domain : io_domains(layout, request.io_nx, request.io_ny)) {
    patches.push_back({domain.root, domain.box, Index(domain.box.dims(), 0)});
  }
  std::stable_sort(patches.begin(), patches.end(), [](const Patch &a, const Patch &b) { return a.rank < b.rank; });
  return std::make_shared<const Layout>(layout.shape(), layout.ranks(), patches, layout.holes_declared());
}

Route resolve_domains(const RouteRequest &wanted, const Layout &layout, const Topology &topology) {
  const RouteRequest request = with_io_layout(wanted, layout, topology);
  Route route{request.name, request.io_nx, request.io_ny, !request.counts_writers(), {}, {}};
  route.domains = layout_of_domains(layout, request);
  const auto domains = std::ssize(route.domains->patches());
  if (route.name == "per_domain" && !route.self)
    refuse_writers(request, "every I/O PE writes a file of its own",
                   "the route 'domains' with these writers, or 'per_domain' with writers = self");
  route.reason = plural(domains, "I/O PE") + " (io_layout = " + text_of_io_layout(request.io_nx, request.io_ny) + ") ";
  if (route.self) {
    route.reason += domains == 1 ? "collects and writes" : "collect and write";
    if (route.name == "per_domain") route.reason += domains == 1 ? " a file" : " a file each";
  } else {
    route.writers = chosen_writers(request.writers, topology);
    route.reason += (domains == 1 ? "collects for " : "collect for ") +
                    plural(static_cast<int64_t>(route.writers.size()), "writer");
  }
  const bool given = has_io_layout(wanted) || wanted.name == "row" || wanted.name == "column";
  route.reason +=
      given ? ", as was asked for"
            : ": one for each of " + plural(topology.nodes(), "node") + ", as far as there are rows of blocks";
  return route;
}

}  // namespace

std::optional<RouteRequest> RouteRequest::ranges() const {
  if (name == "serial") return RouteRequest{"serial", 0, 0, {}};
  const bool owns_ranges = name == "ranges" || (name == "auto" && !has_io_layout(*this));
  if (!counts_writers() && (!owns_ranges || writers.kind == Kind::self)) return std::nullopt;
  return RouteRequest{"ranges", 0, 0, writers};
}

Writers nearest_writers(const Writers &asked, const Topology &topology) {
  if (asked.kind != Kind::count && asked.kind != Kind::per_node) return asked;
  return {asked.kind, std::clamp(asked.n, 1, most_writers(asked, topology))};
}

const std::vector<std::string> &route_names() {
  // Needed until the very end of a program.
  static const auto &names = *new std::vector<std::string>{"auto",   "serial", "shared", "domains",   "row",
                                                           "column", "ranges", "per_pe", "per_domain"};
  return names;
}

Route resolve(const RouteRequest &request, const Layout &layout, const Topology &topology,
              const Surroundings &surroundings) {
  check_name(request.name);
  check_writers(request.writers, topology);
  RouteRequest named = request;
  if (request.name == "auto") {
    named.name = has_io_layout(request) ? "domains" : request.writers.kind == Kind::self ? "shared" : "ranges";
  }
  if (named.name == "serial") return resolve_serial(named, topology);
  if (named.name == "shared") return resolve_shared(named, topology);
  if (named.name == "per_pe") return resolve_per_pe(named, layout);
  if (named.name == "ranges") return resolve_ranges(named, topology, surroundings);
  return resolve_domains(named, layout, topology);
}

Route with_points(Route route, const PointRequest &request) {
  const std::vector<std::string> known{"ranges", "serial", "shared"};
  if (std::find(known.begin(), known.end(), route.name) == known.end())
    throw Error(Status::invalid,
                "the route '" + route.name + "' divides the grid into blocks, and has no use for points",
                "Use the route 'ranges', 'serial' or 'shared' for files with points");
  route.partition = request.partition;
  const auto writers = static_cast<int>(route.writers.size());
  if (request.primaries == 0) return route;
  if (route.self || request.primaries > writers)
    throw Error(Status::invalid,
                "points.primaries = " + std::to_string(request.primaries) +
                    (route.self ? " with a route in which every rank writes by itself"
                                : ", but there are " + plural(writers, "writer")),
                "Primaries are some of the writers: ask for 'writers', or set 'points.primaries' to 0");
  for (int i = 0; i < request.primaries; ++i)
    route.primaries.push_back(route.writers[static_cast<size_t>(part_of(writers, request.primaries, i).start)]);
  route.reason += "; " + plural(request.primaries, "primary rank") + " of them " +
                  (request.primaries == 1 ? "collects" : "collect") + " and reorder" +
                  (request.primaries == 1 ? "s" : "") + " the points";
  return route;
}

Writers parse_writers(const std::string &text) {
  if (text == "auto") return {};
  if (text == "self") return {Kind::self, 0};
  int n = 0;
  const char *const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, n);
  const std::string unit(rest, end);
  if (error == std::errc() && n >= 1) {
    if (unit.empty()) return {Kind::count, n};
    if (unit == " per node") return {Kind::per_node, n};
  }
  throw Error(Status::config, "writers = '" + text + "' is not understood",
              "Valid are auto, self, a number of ranks such as '4', and a number for each node such as '2 per node'");
}

std::vector<int> spread_writers(int n, const Topology &topology) {
  std::vector<size_t> taken(topology.ranks_of.size(), 0);
  for (int left = std::min(n, topology.ranks()); left > 0;) {
    std::vector<size_t> free_nodes;
    for (size_t node = 0; node < taken.size(); ++node) {
      if (taken[node] < topology.ranks_of[node].size()) free_nodes.push_back(node);
    }
    const size_t now = std::min(free_nodes.size(), static_cast<size_t>(left));
    for (size_t i = 0; i < now; ++i) ++taken[free_nodes[i * free_nodes.size() / now]];
    left -= static_cast<int>(now);
  }
  std::vector<int> writers;
  for (size_t node = 0; node < taken.size(); ++node) {
    const std::vector<int> &ranks = topology.ranks_of[node];
    writers.insert(writers.end(), ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(taken[node]));
  }
  std::sort(writers.begin(), writers.end());
  return writers;
}

}  // namespace sv
