#include "plan/roles.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "layout/layout.hpp"

namespace sv {

namespace {

int64_t asked_of(const ServerRequest &request, const Topology &topology) {
  const int64_t ranks = topology.ranks();
  switch (request.kind) {
    case ServerRequest::Kind::count:
      return request.value;
    case ServerRequest::Kind::fraction:
      return (2 * ranks * request.value + request.of) / (2 * int64_t{request.of});
    case ServerRequest::Kind::ratio:
      return ranks / request.value;
    case ServerRequest::Kind::per_node:
      return int64_t{request.value} * topology.nodes();
    case ServerRequest::Kind::automatic:
    case ServerRequest::Kind::threads:
      return 0;
  }
  return 0;
}

/// From the end of every node in turn, the nodes with the most ranks left first.
std::vector<int> spread(int64_t servers, const Topology &topology) {
  std::vector<std::vector<int>> left(topology.ranks_of.begin(), topology.ranks_of.end());
  std::vector<int> taken;
  for (int64_t number = 0; number < servers; ++number) {
    const auto longest = [&](const auto &a, const auto &b) { return a.size() < b.size(); };
    auto &node = *std::max_element(left.begin(), left.end(), longest);
    taken.push_back(node.back());
    node.pop_back();
  }
  return taken;
}

std::vector<int> of_each_node(int servers, const Topology &topology) {
  std::vector<int> taken;
  for (const std::vector<int> &ranks : topology.ranks_of)
    taken.insert(taken.end(), ranks.end() - std::min<std::ptrdiff_t>(servers, std::ssize(ranks)), ranks.end());
  return taken;
}

}  // namespace

std::vector<int> servers_of(const ServerRequest &request, const Topology &topology) {
  const bool none = request.is_none();
  int64_t servers = asked_of(request, topology);
  if (!none && topology.ranks() > 1) servers = std::max<int64_t>(servers, 1);
  if (servers >= topology.ranks() && !none)
    throw Error(Status::config,
                "async.mode = " + async_mode_text(request) + " of " + std::to_string(topology.ranks()) +
                    " ranks leaves none to compute",
                "Start more ranks, or ask for fewer servers");
  std::vector<int> taken;
  if (request.placement == ServerRequest::Placement::last)
    for (int64_t rank = topology.ranks() - servers; rank < topology.ranks(); ++rank)
      taken.push_back(static_cast<int>(rank));
  else
    taken = request.kind == ServerRequest::Kind::per_node ? of_each_node(request.value, topology)
                                                          : spread(servers, topology);
  std::sort(taken.begin(), taken.end());
  return taken;
}

std::vector<std::vector<int>> groups_of(const std::vector<int> &servers, int groups) {
  const int count = std::min<int>(groups, static_cast<int>(servers.size()));
  std::vector<std::vector<int>> all;
  for (int g = 0; g < count; ++g) {
    const Part part = part_of(std::ssize(servers), count, g);
    all.emplace_back(servers.begin() + part.start, servers.begin() + part.start + part.count);
  }
  return all;
}

bool Crew::serves(int rank) const { return std::binary_search(servers.begin(), servers.end(), rank); }

int Crew::component_of(int rank) const {
  for (size_t c = 0; c < clients.size(); ++c)
    if (std::binary_search(clients[c].begin(), clients[c].end(), rank)) return static_cast<int>(c);
  return -1;
}

namespace {

std::vector<int> those_on(int node, const std::vector<int> &ranks, const Topology &topology) {
  std::vector<int> here;
  for (const int rank : ranks)
    if (topology.node_of[static_cast<size_t>(rank)] == node) here.push_back(rank);
  return here;
}

}  // namespace

std::vector<int> Crew::clients_on(int node, int component, const Topology &topology) const {
  return those_on(node, clients[static_cast<size_t>(component)], topology);
}

std::vector<int> Crew::servers_on(int node, const Topology &topology) const {
  return those_on(node, servers, topology);
}

int Crew::command_source(int component, int server, const Topology &topology) const {
  const auto index = std::lower_bound(servers.begin(), servers.end(), server) - servers.begin();
  std::vector<int> able = clients_on(topology.node_of[static_cast<size_t>(server)], component, topology);
  if (able.empty()) able = clients[static_cast<size_t>(component)];
  return able[static_cast<size_t>(index) % able.size()];
}

namespace {

/// A number of servers: "4", "1/8", "ratio 8", "2 per node".
std::optional<ServerRequest> parse_number(const std::string &text) {
  using Kind = ServerRequest::Kind;
  int n = 0, of = 0, length = 0;
  const auto whole = [&] { return std::exchange(length, 0) == static_cast<int>(text.size()); };
  if (std::sscanf(text.c_str(), "%7d%n", &n, &length) == 1 && whole() && n >= 0) return ServerRequest{Kind::count, n};
  if (std::sscanf(text.c_str(), "%7d/%7d%n", &n, &of, &length) == 2 && whole() && n >= 1 && of > n)
    return ServerRequest{Kind::fraction, n, of};
  if (std::sscanf(text.c_str(), "ratio %7d%n", &n, &length) == 1 && whole() && n >= 2)
    return ServerRequest{Kind::ratio, n};
  if (std::sscanf(text.c_str(), "%7d per node%n", &n, &length) == 1 && whole() && n >= 1)
    return ServerRequest{Kind::per_node, n};
  return std::nullopt;
}

std::string number_text(const ServerRequest &request) {
  const std::string value = std::to_string(request.value);
  switch (request.kind) {
    case ServerRequest::Kind::fraction:
      return value + "/" + std::to_string(request.of);
    case ServerRequest::Kind::ratio:
      return "ratio " + value;
    case ServerRequest::Kind::per_node:
      return value + " per node";
    default:
      return value;
  }
}

}  // namespace

ServerRequest parse_async_mode(const std::string &text) {
  using Kind = ServerRequest::Kind;
  if (text == "none") return {};
  if (text == "auto") return {Kind::automatic};
  if (text == "threads") return {Kind::threads};
  if (text == "servers") return {Kind::per_node, 1};
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string mode = text.substr(0, colon);
  const size_t begin = std::min(text.find_first_not_of(": ", colon), text.size());
  std::optional<ServerRequest> number;
  if (mode == "servers" || mode == "auto") number = parse_number(text.substr(begin));
  if (!number || (mode == "auto" && number->is_none()))
    throw Error(
        Status::config, "async.mode = '" + text + "' is not understood",
        "Valid are none, threads, auto, and 'servers:2' with a number, a fraction of the ranks ('servers:1/8'), "
        "'servers:ratio 8' or 'servers:1 per node'; 'auto:1 per node' keeps servers on standby");
  number->are_ready = mode == "auto";
  return *number;
}

std::string async_mode_text(const ServerRequest &request) {
  if (request.kind == ServerRequest::Kind::threads) return "threads";
  if (request.kind == ServerRequest::Kind::automatic) return "auto";
  if (request.is_none()) return "none";
  return (request.are_ready ? "auto:" : "servers:") + number_text(request);
}

}  // namespace sv
