// The owners of a file's bytes: the settings, resolved on this machine. A Home has one and calls it when they are
// chosen; plans, requests and servers use it. Local: every rank computes the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "file/context.hpp"
#include "plan/route.hpp"

namespace sv {

/// The writers of a file: these ranks in their calls; their threads, of one rank on a node; or servers.
enum class WrittenBy { ranks, threads, servers };

class Ownership {
 public:
  /// `context` outlives it.
  Ownership(const Context &context, const RouteRequest &request) : asked(request), context_(context) {}

  /// Chooses the owners of ranges that the settings ask for; of servers among themselves, the first ones. `has_chunks`:
  /// one rank alone knows where values stand. `primaries`: as many are asked for.
  void choose(bool has_chunks, int primaries);
  /// The route by which fields of this layout are written. Throws Error(invalid) where it cannot be.
  Route route(const Layout &layout) const;
  /// The route of values that follow no decomposition.
  Route route_of_ranges() const;
  /// The route by which owners of ranges read.
  Route reading_route() const;
  /// The owners of stretches of combined requests: of each step, so they are found once.
  const std::vector<int> &of_combined() const;
  /// The writers of a route on a layout.
  std::vector<int> writers(const Layout &layout, const Route &route) const;

  WrittenBy by = WrittenBy::ranks;  // chosen with the home; by servers, with the number of owners, too
  RouteRequest asked;               // by the settings, or as resolved
  Surroundings surroundings;        // as soon as they are known
  /// The same for all routes of the file that have owners of ranges, and for values without a layout. Rank 0 alone
  /// where owners of blocks write themselves.
  std::vector<int> of_ranges{owner_rank};
  bool only_these = false;  // no other rank can write the file
  std::string remark;       // for the summary; "": none

 private:
  void choose_of_nodes(bool has_chunks, int primaries);
  Route ranges(const RouteRequest &request) const;

  const Context &context_;
  mutable std::optional<std::vector<int>> combined_;
};

}  // namespace sv
