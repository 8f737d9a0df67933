// A route: how data gets from those who own it to those who write it. Two levels, each optional: I/O PEs collect,
// writers write.
#pragma once

#include <string>

#include "layout/layout.hpp"
#include "plan/topology.hpp"

namespace sv {

struct Writers {
  enum class Kind { automatic, self, count, per_node };
  Kind kind = Kind::automatic;
  int n = 0;
};

/// What the user asked for. Named routes (DESIGN): serial, shared, domains, row, column, ranges; per_pe and
/// per_domain, which write sets of files; auto.
struct RouteRequest {
  std::string name = "auto";
  int io_nx = 0, io_ny = 0;  // io_layout; 0 = not given
  Writers writers;
};

/// Every name that a request may have.
const std::vector<std::string> &route_names();

/// What will be done, equal on all ranks.
struct Route {
  std::string name;          // of the named combination it amounts to
  int io_nx = 0, io_ny = 0;  // 0: no collecting
  bool self = false;         // the owners (or I/O PEs) write their own blocks; otherwise ranges of the file have owners
  std::vector<int> writers;  // ranks that own ranges; empty when self
  std::string reason;        // one sentence, for the summary: why this one
};

/// What choosing depends on beside the request.
struct Surroundings {
  bool shared_file_system = false;  // a parallel or network file system (Lustre, GPFS, NFS ...), not a local one
  int64_t stripe_bytes = 1 << 20;
  int stripe_count = 1;
};

/// Throws Error(invalid) with the reason and the nearest valid request.
Route resolve(const RouteRequest &request, const Layout &layout, const Topology &topology,
              const Surroundings &surroundings);

/// Parses "self", "auto", "4", "2 per node"; "4,2" for an io_layout. Throws Error(config).
Writers parse_writers(const std::string &text);

/// `n` writers (at most one per rank), spread evenly over the nodes, on each node its lowest ranks. Ascending.
std::vector<int> spread_writers(int n, const Topology &topology);

}  // namespace sv
