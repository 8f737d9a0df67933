#include "backend/netcdf4/placing.hpp"

#include <numeric>

#include "mpi/comm.hpp"

namespace sv::netcdf4 {

namespace {

std::vector<int64_t> told_bodies(std::span<const Body> bodies) {
  std::vector<int64_t> numbers;
  for (const Body &each : bodies) {
    numbers.insert(numbers.end(), {each.key.variable, std::ssize(each.bytes), each.key.cell.n});
    numbers.insert(numbers.end(), each.key.cell.v.begin(), each.key.cell.v.begin() + each.key.cell.n);
  }
  return numbers;
}

/// Has all bodies of one rank placed.
std::vector<int64_t> place_all(std::span<const int64_t> numbers, const std::function<int64_t(const Wanted &)> &place) {
  std::vector<int64_t> places;
  for (size_t at = 0; at < numbers.size();) {
    Wanted wanted{{static_cast<int>(numbers[at]), {}}, numbers[at + 1]};
    const int64_t dims = numbers[at + 2];
    at += 3;
    for (int64_t d = 0; d < dims; ++d) wanted.key.cell.push(numbers[at++]);
    places.push_back(place(wanted));
  }
  return places;
}

/// What each rank has, one after the other, on the owner.
struct Gathered {
  std::vector<int64_t> numbers;
  std::vector<int> counts, begins;
};

Gathered gather(const Team &team, const std::vector<int64_t> &mine, int ranks) {
  Gathered all;
  const int count = static_cast<int>(mine.size());
  if (team.is_owner()) all.counts.resize(static_cast<size_t>(ranks));
  check_mpi(MPI_Gather(&count, 1, MPI_INT, all.counts.data(), 1, MPI_INT, 0, team.comm()), "MPI_Gather");
  if (team.is_owner()) {
    all.begins.resize(all.counts.size());
    std::exclusive_scan(all.counts.begin(), all.counts.end(), all.begins.begin(), 0);
    all.numbers.resize(static_cast<size_t>(all.begins.back() + all.counts.back()));
  }
  check_mpi(MPI_Gatherv(mine.data(), count, MPI_INT64_T, all.numbers.data(), all.counts.data(), all.begins.data(),
                        MPI_INT64_T, 0, team.comm()),
            "MPI_Gatherv");
  return all;
}

}  // namespace

std::vector<int64_t> place_together(const Team &team, std::span<const Body> mine,
                                    const std::function<int64_t(const Wanted &)> &place) {
  const std::vector<int64_t> own = told_bodies(mine);
  if (team.alone()) return place_all(own, place);
  const Watch watched = team.watch("the placing of chunks");
  int ranks = 1;
  check_mpi(MPI_Comm_size(team.comm(), &ranks), "MPI_Comm_size");
  const Gathered all = gather(team, own, ranks);
  std::vector<int64_t> places;
  std::vector<int> counts, begins;
  team.together([&] {
    for (size_t rank = 0; rank < all.counts.size(); ++rank) {
      const auto of_rank =
          std::span(all.numbers).subspan(static_cast<size_t>(all.begins[rank]), static_cast<size_t>(all.counts[rank]));
      const std::vector<int64_t> some = place_all(of_rank, place);
      begins.push_back(static_cast<int>(places.size()));
      counts.push_back(static_cast<int>(some.size()));
      places.insert(places.end(), some.begin(), some.end());
    }
  });
  std::vector<int64_t> given(mine.size());
  check_mpi(MPI_Scatterv(places.data(), counts.data(), begins.data(), MPI_INT64_T, given.data(),
                         static_cast<int>(given.size()), MPI_INT64_T, 0, team.comm()),
            "MPI_Scatterv");
  return given;
}

void broadcast(const Team &team, std::vector<int64_t> &numbers) {
  if (team.alone()) return;
  const Watch watched = team.watch("the owner's description of the file");
  auto count = std::ssize(numbers);
  check_mpi(MPI_Bcast(&count, 1, MPI_INT64_T, 0, team.comm()), "MPI_Bcast");
  numbers.resize(static_cast<size_t>(count));
  constexpr int64_t step = int64_t{1} << 24;  // MPI counts have 32 bits
  for (int64_t at = 0; at < count; at += step)
    check_mpi(MPI_Bcast(numbers.data() + at, static_cast<int>(std::min(step, count - at)), MPI_INT64_T, 0, team.comm()),
              "MPI_Bcast");
}

}  // namespace sv::netcdf4
