// A route: the way of data from their owners to their writers. It has two levels, each optional: I/O PEs collect,
// writers write. The user names one or its parts, and `resolve` makes the decision, equally on all ranks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_stripes.hpp"
#include "layout/layout.hpp"
#include "plan/topology.hpp"

namespace sv {

struct Writers {
  enum class Kind { automatic, self, count, per_node };
  Kind kind = Kind::automatic;
  int n = 0;
};

/// The user's request. Named routes: serial, shared, domains, row, column, ranges; per_pe and per_domain, which write
/// sets of files; auto.
struct RouteRequest {
  std::string name = "auto";
  int io_nx = 0, io_ny = 0;  // io_layout; 0 = not given
  Writers writers;

  /// Whether it writes a set of files instead of one.
  bool divides_file() const { return name == "per_pe" || name == "per_domain"; }
  /// Whether it says how many writers there are; and whether these own ranges, however a field is laid out.
  bool counts_writers() const {
    return writers.kind == Writers::Kind::count || writers.kind == Writers::Kind::per_node;
  }
  bool chooses_owners() const { return counts_writers() || name == "serial"; }
  /// Whether everything is left to us.
  bool is_open() const { return name == "auto" && io_nx == 0 && writers.kind == Writers::Kind::automatic; }
  /// The request by which ranges get their owners; nothing where it has none, since owners of blocks write.
  std::optional<RouteRequest> ranges() const;
};

/// Every name that a request may have.
const std::vector<std::string> &route_names();

/// How the writers of points divide a field: contiguous ranges of the file, or one of its dimensions: the first of the
/// grid (cells), or the slowest of the others (levels; Pang et al. 2023, Sect. 5.3). Without such another: ranges.
enum class Partition { ranges, cells, levels };

/// The user's request for decompositions of points.
struct PointRequest {
  Partition partition = Partition::ranges;
  int primaries = 0;  // of the writers: collect, reorder and scatter for all; 0: every rank sends to the writers
};

/// The resolved route, equal on all ranks.
struct Route {
  std::string name;          // of the named combination it amounts to
  int io_nx = 0, io_ny = 0;  // 0: no collecting
  bool self = false;         // the owners (or I/O PEs) write their own blocks; otherwise ranges of the file have owners
  std::vector<int> writers;  // ranks that own ranges; empty when self
  std::string reason;        // one sentence, for the summary: why this one
  Partition partition = Partition::ranges;     // of points, like the next
  std::vector<int> primaries = {};             // ascending; some of the writers, or none
  std::shared_ptr<const Layout> domains = {};  // with io_nx: the I/O domains, as a layout whose blocks they are
  int64_t whole_bytes = 0;  // a field of at most so many bytes belongs to the first writer alone, wherever it stands
};

/// The price of a system call that writes: next to nothing, since memory takes the bytes; a device's time for them; or
/// long for any number of bytes.
enum class CallPrice { little, bytes, call, unknown };

/// The conditions of the choice besides the request.
struct Surroundings {
  bool shared_file_system = false;  // a parallel or network file system (Lustre, GPFS, NFS ...), not a local one
  int64_t stripe_bytes = 1 << 20;
  int stripe_count = 1;
  int targets = 0;       // storage targets, if the file system stripes new files as a program asks; otherwise 0
  FileStripes chosen{};  // of a new file, once they are chosen (plan/stripe_choice.hpp)
  bool late = false;     // other hosts see written data once they are synchronised (store/shared_storage.hpp)
  CallPrice calls = CallPrice::unknown;  // until it has been measured
};

/// Throws Error(invalid) with the reason and the nearest valid request.
Route resolve(const RouteRequest &request, const Layout &layout, const Topology &topology,
              const Surroundings &surroundings);

/// The same for points. Throws Error(invalid) for routes that need blocks, and for more primaries than writers.
Route with_points(Route route, const PointRequest &request);

/// Parses "self", "auto", "4", "2 per node"; "4,2" for an io_layout. Throws Error(config).
Writers parse_writers(const std::string &text);

/// As many of the writers asked for as there can be among these ranks.
Writers nearest_writers(const Writers &asked, const Topology &topology);

/// `n` writers (at most one per rank), spread evenly over the nodes, on each node its lowest ranks. Ascending.
std::vector<int> spread_writers(int n, const Topology &topology);

}  // namespace sv
