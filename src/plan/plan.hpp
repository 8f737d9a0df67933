// The plan: which bytes of one field go from whom to whom, in which round, and where they stand. A pure value:
// computing it calls nothing collective, and any rank can compute it for any other.
//
// A field is one variable, or one record of it: a dense array in the file. Its elements have a row-major order. A
// writer (a sink) owns a territory, a range of such an order: of the whole field (it then owns a contiguous range of
// the file) or of a box of it (it then owns strided runs). A territory is written in rounds of bounded size; what a
// rank sends to a sink in a round is its part of that range: closed-form, never a list per element.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "layout/box.hpp"
#include "layout/layout.hpp"
#include "plan/route.hpp"
#include "plan/topology.hpp"

namespace sv {

/// The array that is written: shape slowest first, without the record dimension.
struct Field {
  Index shape;
  int first_axis = 0;         // where the layout's dimensions stand in shape
  int64_t element_bytes = 0;  // in the file
  int64_t offset_bytes = 0;   // of its first element in the file
};

/// A field, its neighbours, and who owns stripes: an absolute stripe belongs to the field in which its first byte lies.
struct Extent {
  int64_t begin, end;  // bytes of the file, [begin, end)
};
/// Tells, for an absolute file offset, the extent (a fixed variable, one record of a record variable, or the header)
/// that covers it or, in a gap, the last one before it. `previous` of the field's own extent is enough to decide who
/// owns a stripe that begins before the field; see owner_ranges.
class ExtentMap {
 public:
  virtual ~ExtentMap() = default;
  virtual Extent covering(int64_t offset_bytes) const = 0;
};

/// Writer `writer` (an index into Route::writers) owns elements [first, last) of the field.
struct OwnedRange {
  int writer;
  int64_t first, last;
};
/// Divides a field among `writers` owners: whole absolute stripes, contiguous per owner, as even as part_of. A stripe
/// that begins in an earlier extent stays with the owner it has there, so no two owners share a stripe and records keep
/// the owners of their stripes. An extent with fewer stripes than there are writers gives stripe s of the file to
/// writer s modulo `writers`. Stripes that begin in a gap belong to the last owner of the extent before. An element
/// that straddles a boundary belongs to the owner of its first byte. The header's extent (the one that begins at 0)
/// belongs to writer 0. Empty ranges are left out; ascending; a writer may own two. O(writers).
std::vector<OwnedRange> owner_ranges(const Field &field, const ExtentMap &extents, int writers, int64_t stripe_bytes);

/// Elements [first, last) of the row-major order of `box` (a box of the field).
struct Share {
  Box box;
  int64_t first, last;
  int64_t elements() const { return last - first; }
};

/// How many elements of a share a box inside its own has. O(dims).
inline int64_t elements_in(const Box &part, const Share &share) {
  return count_before(part, share.box, share.last) - count_before(part, share.box, share.first);
}

/// A receiver of a stage and its territory. A sink of the last stage takes its territory in chunks of round_elements,
/// one a round: in order, but beginning at chunk `turn`, so that writers of a field of many levels do not all want the
/// same rows at once, and with a first chunk that is `phase_elements` shorter, so that later ones begin on a stripe or
/// page.
struct Sink {
  int rank;
  Share territory;
  int64_t window_elements;  // where its place in a half of its node's window begins; see Plan::slice_begin
  int feeds = -1;           // in a collecting stage: the sink of the next stage for which this slice is collected
  int64_t phase_elements = 0;
  int turn = 0;
};

/// One hop: from the patches (or points) of `sources` (extended by the field's other dimensions) into the slices of the
/// sinks. Of every element of the field, the last stage has exactly one sink; cells that nobody owns (holes) are in it
/// too, but in no patch: whoever writes the sink gives them the fill value. In a collecting stage, the slice of I/O
/// domain d for sink w of the next stage is sink d · sinks of the next stage + w, where d numbers the patches of the
/// next stage's `sources`.
struct Stage {
  std::shared_ptr<const Layout> sources;
  std::vector<Sink> sinks;
  std::vector<std::vector<int>> sinks_of_node;  // by node: indices of its sinks
};

/// What one half of a node's window offers, in bytes.
struct Budget {
  int64_t slices;    // for all slices of a stage on a node
  int64_t outgoing;  // for what a node sends in a round of a stage; 0 on one node
};

struct Plan {
  Field field;
  Route route;
  bool set = false;           // the sinks are pieces of a set of files: each is contiguous there, and they may overlap
  bool at_home = false;       // every rank writes what it owns, and nothing else
  std::vector<Stage> stages;  // 1; or 2 when I/O PEs collect for writers
  std::vector<std::vector<int>> groups = {};  // of points with primaries: the ranks from which each of these collects
  int64_t round_elements = 0;                 // of each sink of the last stage
  int rounds = 0;                             // of every stage; at least 1 where the field has elements

  /// What sink `sink` of stage `stage` takes in in round `round` (maybe empty).
  Share share(int stage, int sink, int round) const;
  /// Where the slice of a sink begins in a half of its node's window in this round, in elements; slices of a node do
  /// not overlap. In the last stage that is window_elements; the slices of an I/O domain share a place, one after the
  /// other. O(sinks of the last stage).
  int64_t slice_begin(int stage, int sink, int round) const;
  /// The patch's box in the field: the layout's dimensions from the patch, all of the others.
  Box extend(const Box &patch) const;
  /// With primaries: whether everything in the file passes through one of them, so that what it sends is whole.
  bool collects_all() const { return groups.size() == 1 && !stages.front().sources->has_holes(); }
  /// Whether it ends at primaries: servers that pass the points on (plan/gathering.hpp).
  bool gathers() const { return !groups.empty() && stages.size() == 1; }
  /// Elements of `patch` (not extended) that go to this sink in this round. O(dims).
  int64_t elements(int stage, const Box &patch, int sink, int round) const;
  /// Where two stages: the sink of the collecting stage in whose slice lies what `domain`, a patch of the second
  /// stage's sources (one of its own objects, not a copy), has for `sink` of the second stage. A rank may be root of
  /// several domains.
  int collecting_sink(const Patch &domain, int sink) const;
};

/// A box of the field that a rank writes into a file of its own.
struct Territory {
  int rank;
  Box box;
};

/// What a plan depends on beside layout, field and route; equal on all ranks. Borrowed for the call.
struct Conditions {
  const Topology &topology;
  const ExtentMap &extents;
  int64_t stripe_bytes;
  Budget budget;
  std::vector<Territory> pieces = {};  // of a set of files; they may overlap: what is in several goes to each
};

/// Rounds are as large as every node's budget allows. Throws for a valid Route of the same layout only when that budget
/// has no room for one element per slice: Error(limit).
Plan make_plan(std::shared_ptr<const Layout> layout, const Field &field, const Route &route,
               const Conditions &conditions);

/// The traffic of one rank over all rounds: what a trace of a real run must show. Sums over ranks: of placed bytes, the
/// bytes of the sources of every stage; of sent and received bytes and messages, the same.
struct Traffic {
  int64_t placed_bytes = 0;       // that it copies into a slice of its node or into its node's outgoing window
  int64_t messages_sent = 0;      // as forwarder(): one per sink elsewhere and round in which its node has bytes for it
  int64_t sent_bytes = 0;         // in those messages
  int64_t messages_received = 0;  // as the sink's rank: one per node elsewhere and round
  int64_t received_bytes = 0;     // in those messages
  int64_t written_bytes = 0;      // holes included, with the fill value
  int64_t writes = 0;             // contiguous runs of the file, per round
};
Traffic traffic_of(const Plan &plan, const Topology &topology, int rank);
/// All ranks at once, cheaper than one by one: 100,000 ranks in seconds.
std::vector<Traffic> traffic_of_all(const Plan &plan, const Topology &topology);

/// The rank that sends and receives for all of `node`. One only: every rank with messages under way must look after
/// them, and where ranks outnumber cores each of those looks takes time from the ranks that pack.
int forwarder(const Topology &topology, int node);

/// A strided record of the plan, as printed and drawn: `count` runs of `length` elements, the i-th at `position` + i *
/// `stride` of the sink's share (relative to its first element).
struct StridedRun {
  int64_t position, length, stride, count;
};
/// What `patch` contributes to a share: ascending, disjoint. A record per slab of the patch, and one for each row or
/// slab that the share cuts.
std::vector<StridedRun> strided_runs(const Plan &plan, int stage, const Box &patch, int sink, int round);

}  // namespace sv
