// The part of served puts that clients and servers compute alike (src/servers); sv-plan uses it for planned runs. Pure
// values.
#pragma once

#include <memory>
#include <vector>

#include "plan/plan.hpp"

namespace sv {

constexpr int64_t ring_page_bytes = 4096;

/// The rings of a node: of each component (a model) one to each server there, and one for servers on other nodes, where
/// there are other nodes.
inline int rings_of_node(int servers, int components, bool sends) { return components * (servers + (sends ? 1 : 0)); }
/// Of each ring, where `memory_bytes` of a node hold so many.
int64_t ring_bytes_of(int64_t memory_bytes, int rings);

/// The blocks of a component's layout, as a layout of all ranks that a link joins: `ranks` are the component's there.
std::shared_ptr<const Layout> among_all(const Layout &layout, const std::vector<int> &ranks, int all);

/// Of a group of `servers`, those that own ranges of a file that asks for this route: as many as `writers` or the route
/// serial say, otherwise all.
int served_owners(const RouteRequest &request, size_t servers);
/// The budget of a round in rings of so many bytes. `writers`: those of the servers that own ranges.
Budget served_budget(int64_t ring_bytes, const std::vector<int> &writers, const Topology &topology);

}  // namespace sv
