// The servers of a communicator: the ranks that do the output of the others, and their groups (Huang et al. 2013). They
// are chosen once, when a context is made. Pure values: any number of servers with any number of clients is valid.
#pragma once

#include <string>
#include <vector>

#include "plan/topology.hpp"

namespace sv {

struct ServerRequest {
  enum class Kind { count, fraction, ratio, per_node, automatic, threads };
  enum class Placement { spread, last };
  Kind kind = Kind::count;
  int value = 0;  // servers; numerator; ranks for each server; servers of each node
  int of = 1;     // denominator
  Placement placement = Placement::spread;
  int groups = 1;
  bool are_ready = false;  // they are kept ready, and serve where that costs less

  /// Whether no rank serves: the calls write, or threads of the ranks that compute do.
  bool is_none() const {
    return kind == Kind::threads || kind == Kind::automatic || (kind == Kind::count && value == 0);
  }
  /// Whether the run finds out how it writes.
  bool chooses() const { return kind == Kind::automatic || are_ready; }
  /// Whether threads of the ranks that compute write, or may.
  bool writes_behind() const { return kind == Kind::threads || chooses(); }
};

/// Of a file: one of the groups (from 1), the groups in turn (0), or no server (-1).
struct GroupRequest {
  static constexpr int automatic = 0, none = -1;
  int group = automatic;
};

/// The ranks that serve, ascending; at least one rank is left to compute. Throws Error(config) where the request
/// leaves none.
std::vector<int> servers_of(const ServerRequest &request, const Topology &topology);

/// The servers in `groups` groups (as many as there are servers, if fewer), neighbours together, as even as part_of.
std::vector<std::vector<int>> groups_of(const std::vector<int> &servers, int groups);

/// The roles of the ranks of one sv_init. Equal on all of them.
struct Crew {
  std::vector<int> servers;               // ascending
  std::vector<std::vector<int>> groups;   // of servers
  std::vector<std::vector<int>> clients;  // of each component (a model), ascending
  std::vector<std::string> components{};  // their names

  bool serves(int rank) const;
  int component_of(int rank) const;  // −1 for servers
  /// The client of a component that sends commands to a server: one of its node if there is one; otherwise clients in
  /// turn.
  int command_source(int component, int server, const Topology &topology) const;
  /// The clients of a component on a node, ascending; the servers there.
  std::vector<int> clients_on(int node, int component, const Topology &topology) const;
  std::vector<int> servers_on(int node, const Topology &topology) const;
};

/// Parses "none", "threads", "auto", or servers with their number: "servers:4", "servers:1/8" of the ranks (rounded to
/// the nearest), "servers:ratio 8" (so many ranks for each server, as in CFIO), "servers:2 per node"; "servers" is one
/// per node, "servers:0" is none, and "auto:1 per node" keeps so many on standby. Other numbers give at least one
/// server, where there are two ranks. Throws Error(config).
ServerRequest parse_async_mode(const std::string &text);
/// The text that parse_async_mode reads.
std::string async_mode_text(const ServerRequest &request);

}  // namespace sv
