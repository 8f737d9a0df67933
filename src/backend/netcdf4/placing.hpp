// How the bodies of a team get their places: every rank tells the file's owner what it has, the owner has its index
// place them, and tells each where. Collective over the team.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "backend/access.hpp"
#include "backend/netcdf4/bodies.hpp"

namespace sv::netcdf4 {

/// What the owner is told of a body.
struct Wanted {
  ChunkKey key;
  int64_t bytes;
};

/// Returns the places of this rank's bodies, in their order. `place`: called on the owner, for all bodies of rank 0,
/// then all of rank 1 and so on, so that those of a rank mostly follow one another in the file. What it throws is
/// thrown on all.
std::vector<int64_t> place_together(const Team &team, std::span<const Body> mine,
                                    const std::function<int64_t(const Wanted &)> &place);

/// The owner's numbers, on all.
void broadcast(const Team &team, std::vector<int64_t> &numbers);

}  // namespace sv::netcdf4
