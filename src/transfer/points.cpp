#include "transfer/points.hpp"

#include <algorithm>

#include "file/shared_numbers.hpp"
#include "layout/point_lists.hpp"
#include "packing/point_rows.hpp"
#include "plan/directory.hpp"

namespace sv {

namespace {

using PlaceRange = PointTable::Places;

std::string call_of(const std::string &call, const PointsRequest &request) {
  std::string text = call + " of grid";
  for (int d = 0; d < request.shape.n; ++d) text += (d == 0 ? " " : " x ") + std::to_string(request.shape[d]);
  return request.holes ? text + " with holes" : text;
}

/// The part of the directory that this rank looks after, with all notices.
DirectoryPart gathered(const Context &context, const PointRuns &own, int64_t cells) {
  const Comm &comm = context.comm;
  std::vector<Packet> notices;
  for (Notice &notice : notices_of(own, cells, comm.size())) notices.push_back({notice.to, std::move(notice.code)});
  DirectoryPart part(cells, comm.size(), comm.rank());
  for (const Packet &notice : comm.exchange(notices)) part.enter(notice.rank, notice.bytes);
  return part;
}

void check_part(const Context &context, const DirectoryPart &part, bool holes) {
  if (part.overlap()) throw Error(Status::layout, *part.overlap(), "Give every cell to one rank");
  if (holes || part.owned() == part.cells()) return;
  const RunList gaps = part.holes();
  throw unowned(context, "no rank owns the cell " + std::to_string(gaps.place.front()) + " of the grid" +
                             (part.cells() - part.owned() > 1 ? " and others" : ""));
}

}  // namespace

Error unowned(const Context &context, const std::string &cause) {
  const int servers = context.options.servers;
  std::string remedy = "Give every cell to a rank, or permit masked cells (SV_MASKED)";
  if (servers > 0)
    remedy += ". " + std::to_string(servers) + (servers == 1 ? " rank serves" : " ranks serve") +
              ", and cannot own cells: ask sv_is_model after sv_init, and divide the grid among the ranks of "
              "sv_model_comm";
  return {Status::layout, cause, remedy};
}

std::shared_ptr<const Layout> make_points(Context &context, const std::string &call, const PointsRequest &request,
                                          double &seconds) {
  const double begin = wall_seconds();
  const std::string name = call_of(call, request);
  int64_t cells = 0;
  const auto runs = std::make_shared<RunList>(), holes = std::make_shared<RunList>();
  const auto local = std::make_shared<std::vector<int64_t>>();
  context.agree(name, [&] {
    check_grid(request.shape);
    cells = request.shape.product();
    OwnPoints own = own_points(request.indices, cells);
    *runs = std::move(own.runs);
    *local = std::move(own.local);
  });

  const DirectoryPart part = gathered(context, runs->view(), cells);
  const int64_t mine = runs->view().points();
  const std::vector<int64_t> owned = context.comm.all_gather<int64_t>(std::span(&mine, 1));
  if (request.holes) *holes = part.holes();
  const auto table = std::make_shared<PointTable>(context.comm.size());
  table->set(context.rank(), runs->view());
  table->set_local(*local);
  table->set_near_holes({holes->view()});
  table->known_to.resize(static_cast<size_t>(context.topology().nodes()));
  const auto microseconds = static_cast<int64_t>((wall_seconds() - begin) * 1e6);
  const auto check = [&] { check_part(context, part, request.holes); };
  const Max<int64_t> longest_us = context.agree(name + ", checked", check, Max<int64_t>(microseconds));
  table->keep(PointTable::Memory::own, runs);
  table->keep(PointTable::Memory::local, local);
  table->keep(PointTable::Memory::holes, holes);
  seconds = static_cast<double>(longest_us) * 1e-6;
  return std::make_shared<const Layout>(request.shape, owned, table, request.holes);
}

PointsCost cost_of(const Context &context, const Layout &layout) {
  if (layout.points() == nullptr)
    throw Error(Status::invalid, "the decomposition is not of points", "Use one of sv_def_points");
  const PointTable &table = *layout.points();
  constexpr int64_t word = sizeof(int64_t);
  int64_t numbers = 0;
  for (int rank = 0; rank < layout.ranks(); ++rank) numbers += 2 * table.of(rank).runs();
  for (const PointRuns &holes : table.holes()) numbers += 2 * holes.runs();
  if (table.neighbours_known) numbers /= context.node.size();
  return {table.of(context.rank()).runs(), (numbers + std::ssize(table.local())) * word};
}

namespace {

/// Collective: the lists of each rank of a node, one after the other.
SharedNumbers gather_lists(Context &context, const std::vector<int64_t> &mine) {
  const Node &node = context.node;
  const int64_t length = std::ssize(mine);
  const std::vector<int64_t> sizes = context.comm.all_gather<int64_t>(std::span(&length, 1));
  int64_t before = 0, all = 0;
  for (const int rank : node.ranks()) {
    if (rank < node.rank()) before += sizes[static_cast<size_t>(rank)];
    all += sizes[static_cast<size_t>(rank)];
  }
  return share_numbers(context, "the lists of points", all,
                       [&](int64_t *to) { std::copy(mine.begin(), mine.end(), to + before); });
}

/// Every rank of a node knows the points of the others there, and the holes that they look after.
void know_neighbours(Context &context, PointTable &table) {
  std::vector<int64_t> mine;
  append_list(mine, context.rank(), table.of(context.rank()));
  for (const PointRuns &holes : table.near_holes()) append_list(mine, nobody, holes);
  const SharedNumbers lists = gather_lists(context, mine);
  std::vector<PointRuns> holes;
  for_lists(lists.numbers, [&](int owner, const PointRuns &runs) {
    owner == nobody ? holes.push_back(runs) : table.set(owner, runs);
  });
  table.set_near_holes(std::move(holes));
  table.keep(PointTable::Memory::neighbours, lists.owner);
  // The list of this rank lies there now, too, and need not lie here.
  table.keep(PointTable::Memory::own, nullptr);
  table.keep(PointTable::Memory::holes, nullptr);
  table.neighbours_known = true;
}

/// The places whose owners each node has to know for the plan: those that its sinks take in.
std::vector<PlaceRange> wanted_places(const Plan &plan, const Topology &topology) {
  std::vector<PlaceRange> wanted(static_cast<size_t>(topology.nodes()));
  for (const Stage &stage : plan.stages)
    for (const Sink &sink : stage.sinks) {
      PlaceRange &places = wanted[static_cast<size_t>(topology.node_of[static_cast<size_t>(sink.rank)])];
      const auto [first, last] = CellRanges(plan.field, stage.sources->shape().n, sink.territory).cells();
      if (first == last) continue;
      places = places.first == places.last ? PlaceRange{first, last}
                                           : PlaceRange{std::min(places.first, first), std::max(places.last, last)};
    }
  return wanted;
}

/// The message of this node to another: the lists of its ranks. Sent by one of them.
std::vector<std::byte> message(const Context &context, const PointTable &table, const PlaceRange &places) {
  std::vector<std::byte> message;
  for (const int rank : context.node.ranks()) write_list(message, rank, table.of(rank), places);
  for (const PointRuns &holes : table.near_holes()) write_list(message, nobody, holes, places);
  return message;
}

}  // namespace

void know_points(Context &context, const Plan &plan) {
  const Layout &layout = *plan.stages.front().sources;
  if (layout.points() == nullptr) return;
  PointTable &table = *layout.points();
  const Topology &topology = context.topology();
  const bool direct = plan.groups.empty();  // each rank needs to know of itself only
  if (topology.nodes() == 1 && !layout.has_holes() && direct) return;
  if (!table.neighbours_known) know_neighbours(context, table);
  if (topology.nodes() == 1) return;

  std::vector<PlaceRange> wanted = wanted_places(plan, topology);
  bool has_new = false;
  for (size_t node = 0; node < wanted.size(); ++node) {
    const PlaceRange &known = table.known_to[node];
    PlaceRange &want = wanted[node];
    if (want.first >= known.first && want.last <= known.last) want = {};
    if (want.first == want.last) continue;
    has_new = true;
    if (known.first < known.last) want = {std::min(want.first, known.first), std::max(want.last, known.last)};
    table.known_to[node] = want;
  }
  if (!has_new) return;
  const auto here = static_cast<size_t>(context.node.index());
  std::vector<Packet> messages;
  for (size_t node = 0; node < wanted.size(); ++node)
    if (node != here && wanted[node].first < wanted[node].last &&
        forwarder(topology, static_cast<int>(here)) == context.rank())
      messages.push_back({forwarder(topology, static_cast<int>(node)), message(context, table, wanted[node])});
  std::vector<int64_t> lists;
  for (const Packet &packet : context.comm.exchange(messages)) read_lists(packet.bytes, wanted[here], lists);
  const SharedNumbers all = gather_lists(context, lists);
  if (all.numbers.empty()) return;  // nothing new for this node
  std::vector<PointRuns> holes;
  for_lists(all.numbers, [&](int owner, const PointRuns &runs) {
    owner == nobody ? holes.push_back(runs) : table.set(owner, runs);
  });
  table.set_far_holes(holes);
  table.keep(PointTable::Memory::elsewhere, all.owner);
}

}  // namespace sv
