// Gives places to the bodies of all ranks. Every rank announces its bodies to the file's owner, whose index places
// them, and which returns the places. No rank waits: the places arrive two turns after the announcement, while ranks
// compress the next chunks. The store (chunk_store.cpp) has one.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "backend/netcdf4/bodies.hpp"
#include "backend/peers.hpp"

namespace sv::netcdf4 {

/// In the order of the announced bodies; −1 if the owner has failed.
using BodyPlaces = std::vector<int64_t>;

class PlacingTurns {
 public:
  /// `place`: called on the owner, for all bodies of a turn of rank 0, then all of rank 1 and so on, so that those of a
  /// rank mostly follow one another in the file. `peers` outlive it.
  using Place = std::function<int64_t(const Wanted &)>;
  PlacingTurns(Peers &peers, Place place) : peers_(peers), place_(std::move(place)) {}
  PlacingTurns(const PlacingTurns &) = delete;

  /// The owner's choice, before the first turn: a tag that no other file of these ranks has.
  static int new_number();
  void use(int number) { tag_ = number; }

  /// Collective over the peers, as is the next one. Announces these bodies, and returns the places of those announced
  /// two turns ago: nothing in the first two.
  std::optional<BodyPlaces> turn(std::span<const Body> mine);
  /// The places of the bodies announced in the last turns, in their order. None is pending then.
  std::vector<BodyPlaces> drain();
  /// The owner's error.
  const std::optional<Error> &failure() const { return failure_; }

 private:
  void serve();
  BodyPlaces place_all(std::span<const int64_t> numbers);
  BodyPlaces next_places();

  Peers &peers_;
  const Place place_;
  int tag_ = 0;
  std::deque<size_t> announced_;                 // how many bodies, in the turns whose places have not come
  std::deque<std::vector<int64_t>> own_wanted_;  // the owner's, of the last turn
  std::deque<BodyPlaces> own_places_;            // that it has given itself
  std::optional<Error> failure_;
};

}  // namespace sv::netcdf4
