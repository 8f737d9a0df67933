// The plan: which bytes of one field go from which rank to which writer (or back, in reading), in which round, and
// where in the file they stand. make_plan.hpp makes one from a layout and a route (which ranks write, and which part
// each has); the code in src/transfer carries it out, and the command sv-plan shows it. It is a pure value: nothing
// here communicates, and any rank can compute it for any other.
//
// A field is one variable, or one record of it: a dense array in the file. A writer (a sink) owns a territory: a range
// of consecutive elements, in row-major order either of the whole field (a contiguous range of the file) or of a box of
// it (strided runs of the file). A territory is written in rounds of bounded size. In each round, a rank sends a sink
// those of its elements that lie in the round's part of the territory; which these are is computed by formulas, and no
// list of elements is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "layout/box.hpp"
#include "layout/layout.hpp"
#include "plan/owners.hpp"
#include "plan/route.hpp"
#include "plan/share.hpp"
#include "plan/sinks.hpp"
#include "plan/topology.hpp"

namespace sv {

/// One hop: from the patches (or points) of `sources` (extended by the field's other dimensions) into the slices of the
/// sinks. Of every element of the field, the last stage has exactly one sink; cells without an owner (holes) are in it
/// too, but in no patch: the writer of the sink gives them the fill value. In a collecting stage, the slice of I/O
/// domain d for sink w of the next stage is sink d · sinks of the next stage + w, where d numbers the patches of the
/// next stage's `sources`.
struct Stage {
  std::shared_ptr<const Layout> sources;
  Sinks sinks;
};

/// The capacity of one half of a node's window, in bytes.
struct Budget {
  int64_t slices;    // for all slices of a stage on a node
  int64_t outgoing;  // for the data that a node sends in a round of a stage; 0 on one node
};

struct Plan {
  Field field;
  Route route;
  bool set = false;           // the sinks are pieces of a set of files: each is contiguous there, and they may overlap
  bool at_home = false;       // every rank writes what it owns, and nothing else
  bool by_chunks = false;     // sinks take whole chunks of the field, one after the other
  std::vector<Stage> stages;  // 1; or 2 when I/O PEs collect for writers
  std::vector<std::vector<int>> groups = {};  // of points with primaries: the ranks from which each of these collects
  int64_t round_elements = 0;                 // of each sink of the last stage
  int rounds = 0;                             // of every stage; at least 1 where the field has elements
  int parts = 1;                              // rounds in which a chunk comes, where sinks take chunks
  int single_dims = 0;                        // a part has one cell in each of so many of the slowest dimensions

  /// The share that sink `sink` of stage `stage` receives in round `round` (maybe empty).
  Share share(int stage, int sink, int round) const;
  /// Where the slice of a sink begins in a half of its node's window in this round, in elements; slices of a node do
  /// not overlap. In the last stage that is Sinks::window; the slices of an I/O domain share a place, one after the
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
  /// stage's sources, has for `sink` of the second stage. A rank may be root of several domains.
  int collecting_sink(const Patch &domain, int sink) const;
};

/// A box of the field that a rank writes into a file of its own.
struct Territory {
  int rank;
  Box box;
};

/// Whether the route gives all of a field to its first writer.
bool is_whole(const Field &field, const Route &route);
/// The owners of a field whose ranges have owners: as owner_ranges, unless the route gives it to one writer.
std::vector<OwnedRange> ranges_of(const Field &field, const Route &route, const ExtentMap &extents,
                                  int64_t stripe_bytes);

/// The conditions of a plan besides layout, field and route; equal on all ranks. Borrowed for the call.
struct Conditions {
  const Topology &topology;
  const ExtentMap &extents;
  int64_t stripe_bytes;
  Budget budget;
  std::vector<Territory> pieces = {};  // of a set of files; they may overlap: a cell of several pieces goes to each
};

/// Makes a plan (plan/make_plan.cpp): the engine asks for one per field and call, unless it has kept one of a field
/// that is alike (plan/kept_plans.hpp), and sv-plan for those of jobs that do not run. Rounds are as large as every
/// node's budget allows. Throws for a valid Route of the same layout only when that budget has no room for one element
/// per slice: Error(limit).
Plan make_plan(std::shared_ptr<const Layout> layout, const Field &field, const Route &route,
               const Conditions &conditions);
/// The last step of making a plan, which no other code does (plan/rounds.cpp): sets the size and number of rounds of a
/// plan whose stages are complete, the sinks' phases and turns, and the positions of their slices.
void set_rounds(Plan &plan, const Conditions &conditions);
/// The same where sinks take chunks, and makes the sinks of the plan's only stage (plan/chunk_rounds.cpp).
void set_chunk_rounds(Plan &plan, const Conditions &conditions);
/// The error of both: "no room for one element" `of_what`.
Error no_room(const Budget &budget, const std::string &of_what, const std::string &otherwise);

}  // namespace sv
