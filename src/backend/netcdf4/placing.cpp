#include "backend/netcdf4/placing.hpp"

#include <algorithm>
#include <utility>

#include "mpi/comm.hpp"

namespace sv::netcdf4 {

namespace {

constexpr int owner = 0;
constexpr size_t most_behind = 2;  // turns whose places have not come

std::vector<int64_t> told_bodies(std::span<const Body> bodies) {
  std::vector<int64_t> numbers;
  for (const Body &each : bodies) {
    numbers.insert(numbers.end(), {each.key.variable, std::ssize(each.bytes), each.key.cell.n});
    numbers.insert(numbers.end(), each.key.cell.v.begin(), each.key.cell.v.begin() + each.key.cell.n);
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

/// Where ranks have failed, nobody may be there to receive: then MPI keeps the numbers.
PlacingTurns::~PlacingTurns() {
  static auto &kept = *new std::list<Sent>;
  for (auto each = sent_.begin(); each != sent_.end();) {
    int done = 0;
    const auto next = std::next(each);
    if (MPI_Test(&each->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done == 0)
      kept.splice(kept.end(), sent_, each);
    each = next;
  }
}

void PlacingTurns::send(std::vector<int64_t> numbers, int to) {
  std::erase_if(sent_, [](Sent &each) {
    int done = 0;
    check_mpi(MPI_Test(&each.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  });
  sent_.push_back({std::move(numbers), MPI_REQUEST_NULL});
  Sent &made = sent_.back();
  check_mpi(MPI_Isend(made.numbers.data(), static_cast<int>(made.numbers.size()), MPI_INT64_T, to, tag_, team_.comm(),
                      &made.request),
            "MPI_Isend");
}

std::vector<int64_t> PlacingTurns::receive(int from) const {
  MPI_Status status;
  int count = 0;
  check_mpi(MPI_Probe(from, tag_, team_.comm(), &status), "MPI_Probe");
  check_mpi(MPI_Get_count(&status, MPI_INT64_T, &count), "MPI_Get_count");
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  check_mpi(MPI_Recv(numbers.data(), count, MPI_INT64_T, from, tag_, team_.comm(), MPI_STATUS_IGNORE), "MPI_Recv");
  return numbers;
}

/// Who is alone waits for nobody.
std::unique_ptr<Watch> PlacingTurns::watch() const {
  if (team_.alone()) return nullptr;
  return std::make_unique<Watch>(team_.access().watch, team_.comm(), "the placing of chunks");
}

/// All bodies of one rank. Whoever waits for them gets an answer in any case.
BodyPlaces PlacingTurns::place_all(std::span<const int64_t> numbers) {
  BodyPlaces places;
  for (size_t at = 0; at < numbers.size();) {
    Wanted wanted{{static_cast<int>(numbers[at]), {}}, numbers[at + 1]};
    const int64_t dims = numbers[at + 2];
    at += 3;
    for (int64_t d = 0; d < dims; ++d) wanted.key.cell.push(numbers[at++]);
    int64_t place = -1;
    if (!failure_) failure_ = caught(-1, [&] { place = place_(wanted); });
    places.push_back(place);
  }
  return places;
}

/// The owner's: places what was told in the turn before. Who is alone makes no MPI calls: it may be a thread.
void PlacingTurns::serve() {
  if (own_wanted_.empty()) return;
  own_places_.push_back(place_all(own_wanted_.front()));
  own_wanted_.pop_front();
  if (team_.alone()) return;
  int ranks = 1;
  check_mpi(MPI_Comm_size(team_.comm(), &ranks), "MPI_Comm_size");
  for (int rank = owner + 1; rank < ranks; ++rank)
    if (BodyPlaces places = place_all(receive(rank)); !places.empty()) send(std::move(places), rank);
}

/// Of what was told longest ago.
BodyPlaces PlacingTurns::next_places() {
  const size_t bodies = told_.front();
  told_.pop_front();
  if (!team_.is_owner()) return bodies == 0 ? BodyPlaces{} : receive(owner);
  BodyPlaces places = std::move(own_places_.front());
  own_places_.pop_front();
  return places;
}

std::optional<BodyPlaces> PlacingTurns::turn(std::span<const Body> mine) {
  const auto watched = watch();
  if (team_.is_owner()) {
    serve();
    own_wanted_.push_back(told_bodies(mine));
  } else {
    send(told_bodies(mine), owner);
  }
  told_.push_back(mine.size());
  if (told_.size() <= most_behind) return std::nullopt;
  return next_places();
}

std::vector<BodyPlaces> PlacingTurns::drain() {
  const auto watched = watch();
  if (team_.is_owner()) serve();
  std::vector<BodyPlaces> all;
  while (!told_.empty()) all.push_back(next_places());
  return all;
}

void broadcast(const Team &team, std::vector<int64_t> &numbers) {
  if (team.alone()) return;
  const Watch watched = team.watch("the owner's description of the file");
  auto count = std::ssize(numbers);
  MPI_Request request = MPI_REQUEST_NULL;  // the owner may have much to do before
  check_mpi(MPI_Ibcast(&count, 1, MPI_INT64_T, 0, team.comm(), &request), "MPI_Ibcast");
  await(request);
  numbers.resize(static_cast<size_t>(count));
  constexpr int64_t step = int64_t{1} << 24;  // MPI counts have 32 bits
  for (int64_t at = 0; at < count; at += step)
    check_mpi(MPI_Bcast(numbers.data() + at, static_cast<int>(std::min(step, count - at)), MPI_INT64_T, 0, team.comm()),
              "MPI_Bcast");
}

}  // namespace sv::netcdf4
