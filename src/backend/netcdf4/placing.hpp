// How the bodies of a team get their places: every rank tells the file's owner what it has, the owner has its index
// place them, and tells each where. Nobody waits for it: what is told in one turn comes back two turns later, while
// ranks compress what follows. The store (chunk_store.cpp) has one.
#pragma once

#include <mpi.h>

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
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

/// In the order of the bodies that were told; −1 where the owner has failed.
using BodyPlaces = std::vector<int64_t>;

class PlacingTurns {
 public:
  /// `place`: called on the owner, for all bodies of a turn of rank 0, then all of rank 1 and so on, so that those of a
  /// rank mostly follow one another in the file. `team` outlives it.
  using Place = std::function<int64_t(const Wanted &)>;
  PlacingTurns(const Team &team, Place place) : team_(team), place_(std::move(place)) {}
  PlacingTurns(const PlacingTurns &) = delete;
  ~PlacingTurns();

  /// The owner's choice, before the first turn: of a file of the team whose messages it has alone.
  static int new_number();
  void use(int number) { tag_ = number; }

  /// Collective over the team, as is the next one. Tells these, and returns the places of what was told two turns ago:
  /// nothing in the first two.
  std::optional<BodyPlaces> turn(std::span<const Body> mine);
  /// The places of what was told in the last turns, in their order. Then there are none behind.
  std::vector<BodyPlaces> drain();
  /// What the owner has failed with.
  const std::optional<Error> &failure() const { return failure_; }

 private:
  struct Sent {
    std::vector<int64_t> numbers;
    MPI_Request request;
  };
  void send(std::vector<int64_t> numbers, int to);
  std::vector<int64_t> receive(int from) const;
  void serve();
  std::unique_ptr<Watch> watch() const;
  BodyPlaces place_all(std::span<const int64_t> numbers);
  BodyPlaces next_places();

  const Team &team_;
  const Place place_;
  int tag_ = 0;
  std::list<Sent> sent_;
  std::deque<size_t> told_;                      // how many bodies, in the turns whose places have not come
  std::deque<std::vector<int64_t>> own_wanted_;  // the owner's, of the last turn
  std::deque<BodyPlaces> own_places_;            // that it has given itself
  std::optional<Error> failure_;
};

/// Collective. The owner's numbers, on all.
void broadcast(const Team &team, std::vector<int64_t> &numbers);

}  // namespace sv::netcdf4
