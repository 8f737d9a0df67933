#include "servers/served_points.hpp"

#include <algorithm>
#include <cstring>

#include "layout/point_lists.hpp"
#include "servers/protocol.hpp"
#include "servers/served.hpp"
#include "transport/shared_memory.hpp"

namespace sv {

namespace {

/// Whether anybody needs lists but its own.
bool needs_lists(const Link &link, const Layout &layout, bool primaries) {
  return primaries || link.topology().nodes() > 1 || layout.has_holes();
}

/// A layout of points, and whether primaries may collect them.
struct Lists {
  const Layout &layout;
  bool primaries;
};

/// Whether a server needs the lists of the clients on a node: it does not see what these place into its memory.
bool needs_lists_of(const Link &link, const Lists &lists, int server, int node) {
  return lists.primaries || lists.layout.has_holes() || link.topology().node_of[static_cast<size_t>(server)] != node;
}

/// Collective over the clients: the lists of each client of a node, one after the other, in memory that they share.
std::span<const int64_t> shared(Context &context, const Link &link, const std::vector<int64_t> &mine,
                                std::shared_ptr<SharedMemory> &memory) {
  Comm node = context.comm.split(link.node());  // that of the context need not be the same, where it is pretended
  const int64_t length = std::ssize(mine);
  const std::vector<int64_t> sizes = node.all_gather<int64_t>(std::span(&length, 1));
  int64_t before = 0, all = 0;
  for (int rank = 0; rank < node.size(); ++rank) {
    if (rank < node.rank()) before += sizes[static_cast<size_t>(rank)];
    all += sizes[static_cast<size_t>(rank)];
  }
  const int64_t bytes = (all + 1) * static_cast<int64_t>(sizeof(int64_t));  // the last belongs to the allocator
  std::string why;
  memory = std::make_shared<SharedMemory>(node.size() == 1 ? SharedMemory::private_memory(bytes)
                                                           : SharedMemory::allocate(node, bytes, why));
  node.free();
  context.agree("sharing the lists of points for servers", [&] {
    if (!*memory)
      throw Error(Status::no_memory, "no memory for the lists of points of a node: " + why, "Use more nodes");
    std::copy(mine.begin(), mine.end(), reinterpret_cast<int64_t *>(memory->data()) + before);
  });
  context.agree("sharing the lists of points for servers, done", std::nullopt);
  return {reinterpret_cast<const int64_t *>(memory->data()), static_cast<size_t>(all)};
}

/// The holes that this rank looks after: its node's, once known, are in the order of its ranks.
const PointRuns &own_holes(const Context &context, const PointTable &points) {
  return points.near_holes()[points.neighbours_known ? static_cast<size_t>(context.node.local_rank()) : 0];
}

PointTable::Places everywhere(const Layout &layout) { return {0, layout.cells()}; }

}  // namespace

std::shared_ptr<const Layout> points_of_link(Context &context, const Link &link, const Layout &layout) {
  using Memory = PointTable::Memory;
  const PointTable &points = *layout.points();
  const std::vector<int> &clients = link.crew().clients[static_cast<size_t>(link.crew().component_of(link.rank()))];
  const auto table = std::make_shared<PointTable>(link.comm().size());
  const PointRuns &own = points.of(context.rank());
  table->set_local(points.local());
  table->keep(Memory::local, points.kept(Memory::local));
  if (needs_lists(link, layout, asks_for_primaries(context.settings))) {
    std::vector<int64_t> mine;
    append_list(mine, link.rank(), own);
    append_list(mine, nobody, own_holes(context, points));
    std::shared_ptr<SharedMemory> memory;
    std::vector<PointRuns> holes;
    for_lists(shared(context, link, mine, memory), [&](int owner, const PointRuns &runs) {
      owner == nobody ? holes.push_back(runs) : table->set(owner, runs);
    });
    table->set_near_holes(std::move(holes));
    table->keep(Memory::neighbours, memory);
  } else {
    table->set(link.rank(), own);
    table->keep(Memory::own, points.kept(points.neighbours_known ? Memory::neighbours : Memory::own));
  }
  std::vector<int64_t> owned(static_cast<size_t>(link.comm().size()), 0);
  for (size_t c = 0; c < clients.size(); ++c)
    owned[static_cast<size_t>(clients[c])] = layout.cells_of_rank(static_cast<int>(c));
  return std::make_shared<const Layout>(layout.shape(), owned, table, layout.holes_declared());
}

LayoutLists lists_to_send(const Link &link, int64_t id, const Layout &layout, bool primaries) {
  LayoutLists lists;
  if (layout.points() == nullptr) return lists;
  const std::vector<int> clients =
      link.crew().clients_on(link.node(), link.crew().component_of(link.rank()), link.topology());
  if (clients.front() != link.rank()) return lists;
  for (const int server : link.crew().servers)
    if (needs_lists_of(link, {layout, primaries}, server, link.node())) lists.to.push_back(server);
  if (lists.to.empty()) return lists;
  const PointTable &points = *layout.points();
  const auto *const bytes = reinterpret_cast<const std::byte *>(&id);
  lists.message.assign(bytes, bytes + sizeof id);
  for (const int client : clients) write_list(lists.message, client, points.of(client), everywhere(layout));
  for (const PointRuns &holes : points.near_holes()) write_list(lists.message, nobody, holes, everywhere(layout));
  return lists;
}

void AwaitedLists::expect(int64_t id, std::shared_ptr<const Layout> layout) {
  if (layout->points() == nullptr) return;
  Awaited awaited{id, std::move(layout), {}, std::make_shared<std::deque<std::vector<int64_t>>>()};
  for (int node = 0; node < link_.topology().nodes(); ++node) {
    const std::vector<int> clients = link_.crew().clients_on(node, component_, link_.topology());
    if (!clients.empty() && needs_lists_of(link_, {*awaited.layout, primaries_}, link_.rank(), node))
      awaited.senders.push_back(clients.front());
  }
  if (!awaited.senders.empty()) awaited_.push_back(std::move(awaited));
}

bool AwaitedLists::has_all_of(const Layout &layout) const {
  return std::none_of(awaited_.begin(), awaited_.end(),
                      [&](const Awaited &awaited) { return awaited.layout.get() == &layout; });
}

/// Each sender sends layouts in their order.
void AwaitedLists::progress() {
  while (!awaited_.empty()) {
    Awaited &first = awaited_.front();
    std::erase_if(first.senders, [&](int sender) {
      const auto message = take_message(link_.comm(), sender, lists_tag(component_));
      if (message) take_in(first, *message);
      return message.has_value();
    });
    if (!first.senders.empty()) return;
    PointTable &points = *first.layout->points();
    std::vector<PointRuns> holes;
    for (const std::vector<int64_t> &lists : *first.lists)
      for_lists(lists, [&](int owner, const PointRuns &runs) {
        owner == nobody ? holes.push_back(runs) : points.set(owner, runs);
      });
    points.set_near_holes(std::move(holes));
    points.keep(PointTable::Memory::elsewhere, std::move(first.lists));
    awaited_.pop_front();
  }
}

void AwaitedLists::take_in(Awaited &awaited, std::span<const std::byte> message) {
  int64_t id = -1;
  if (message.size() >= sizeof id) std::memcpy(&id, message.data(), sizeof id);
  if (id != awaited.id)
    throw Error(Status::internal,
                "lists of points of layout " + std::to_string(id) + " came, not of " + std::to_string(awaited.id),
                "Please report it");
  read_lists(message.subspan(sizeof id), everywhere(*awaited.layout), awaited.lists->emplace_back());
}

}  // namespace sv
