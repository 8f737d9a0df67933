#include "backend/netcdf4/placing.hpp"

#include <utility>

namespace sv::netcdf4 {

namespace {

constexpr int placing_rank = 0;
constexpr size_t most_behind = 2;  // turns whose places have not come

std::vector<int64_t> encoded_bodies(std::span<const Body> bodies) {
  std::vector<int64_t> numbers;
  for (const Body &each : bodies) {
    numbers.insert(numbers.end(), {each.key.variable, std::ssize(each.bytes), each.mask, each.key.cell.n});
    numbers.insert(numbers.end(), each.key.cell.begin(), each.key.cell.end());
  }
  return numbers;
}

}  // namespace

int PlacingTurns::new_number() {
  constexpr int numbers = 30000;  // MPI promises tags up to 32767
  static int last = 0;
  last = (last + 1) % numbers;
  return last;
}

/// Places all bodies of one rank, which gets an answer in any case.
BodyPlaces PlacingTurns::place_all(std::span<const int64_t> numbers) {
  BodyPlaces places;
  for (size_t at = 0; at < numbers.size();) {
    Wanted wanted{{static_cast<int>(numbers[at]), {}}, numbers[at + 1], static_cast<uint32_t>(numbers[at + 2])};
    const int64_t dims = numbers[at + 3];
    at += 4;
    for (int64_t d = 0; d < dims; ++d) wanted.key.cell.push(numbers[at++]);
    int64_t place = -1;
    if (!failure_) failure_ = caught(-1, [&] { place = place_(wanted); });
    places.push_back(place);
  }
  return places;
}

/// On that rank: places the bodies that were announced in the turn before.
void PlacingTurns::serve() {
  if (own_wanted_.empty()) return;
  own_places_.push_back(place_all(own_wanted_.front()));
  own_wanted_.pop_front();
  for (int rank = placing_rank + 1; rank < peers_.size(); ++rank)
    if (BodyPlaces places = place_all(peers_.receive(rank, tag_)); !places.empty())
      peers_.send(rank, tag_, std::move(places));
}

/// The places of the bodies that were announced first.
BodyPlaces PlacingTurns::next_places() {
  const size_t bodies = announced_.front();
  announced_.pop_front();
  if (!peers_.is_owner()) return bodies == 0 ? BodyPlaces{} : peers_.receive(placing_rank, tag_);
  BodyPlaces places = std::move(own_places_.front());
  own_places_.pop_front();
  return places;
}

std::optional<BodyPlaces> PlacingTurns::turn(std::span<const Body> mine) {
  if (peers_.is_owner()) {
    serve();
    own_wanted_.push_back(encoded_bodies(mine));
  } else {
    peers_.send(placing_rank, tag_, encoded_bodies(mine));
  }
  announced_.push_back(mine.size());
  if (announced_.size() <= most_behind) return std::nullopt;
  return next_places();
}

std::vector<BodyPlaces> PlacingTurns::drain() {
  if (peers_.is_owner()) serve();
  std::vector<BodyPlaces> all;
  while (!announced_.empty()) all.push_back(next_places());
  return all;
}

}  // namespace sv::netcdf4
