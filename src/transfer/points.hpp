// Layouts of points: declared and checked by all ranks together; ranks exchange each other's points when they need them
// (Pang et al. 2023).
#pragma once

#include <memory>
#include <span>

#include "file/context.hpp"
#include "plan/plan.hpp"

namespace sv {

/// The arguments of sv_def_points. `indices`: borrowed.
struct PointsRequest {
  Index shape;
  std::span<const int64_t> indices;
  bool holes = false;
};

/// Collective. `call`: the name of the function, for messages. Each rank keeps its own points; a directory that is
/// spread over the ranks finds cells with two owners or none.
/// `seconds`: that it took, on the slowest rank.
std::shared_ptr<const Layout> make_points(Context &context, const std::string &call, const PointsRequest &request,
                                          double &seconds);

/// The Error(layout) of a grid with cells that no rank owns.
Error unowned(const Context &context, const std::string &cause);

/// Local. The runs of this rank, and the bytes that it holds, with memory of its node divided among the ranks there.
/// Throws Error(invalid) if the layout is not of points.
struct PointsCost {
  int64_t runs, bytes;
};
PointsCost cost_of(const Context &context, const Layout &layout);

/// Collective. Before a plan whose sources are points is carried out: nodes from which data are sent know the points of
/// their ranks, and nodes to which they come (or from which they go out, in reading) those of the ranks elsewhere that
/// their sinks take in. Costs something once for each layout, node and range of the file; nothing on one node, unless
/// there are holes (which those who write them know), or primaries.
void know_points(Context &context, const Plan &plan);

}  // namespace sv
