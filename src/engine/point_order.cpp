#include "engine/decompose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "layout/curve.hpp"
#include "mpi/packets.hpp"
#include "transfer/points.hpp"

namespace sv {

std::vector<int64_t> indices_of(const Layout &layout, int rank) {
  const PointTable &table = *layout.points();
  const PointRuns &runs = table.of(rank);
  std::vector<int64_t> indices(static_cast<size_t>(runs.points()));
  for (int64_t run = 0; run < runs.runs(); ++run) {
    const auto first = indices.begin() + table.local()[static_cast<size_t>(run)];
    std::iota(first, first + runs.length(run), runs.place[static_cast<size_t>(run)]);
  }
  return indices;
}

void check_orderable(const Decomp &points) {
  if (points.layout->points() == nullptr)
    throw Error(Status::invalid, "the decomposition is not of points", "Use one of sv_def_points");
  if (points.base != nullptr)
    throw Error(Status::invalid, "the decomposition has an order already", "Use the one of sv_def_points");
}

Decomp *order_points(const Decomp &points, std::span<const int64_t> positions) {
  try {
    Decomp *const ordered = define_points(*points.context, "sv_order_points",
                                          {points.layout->shape(), positions, points.layout->holes_declared()});
    ordered->base = points.layout;
    return ordered;
  } catch (const Error &error) {
    if (error.status() != Status::layout) throw;
    throw Error::from_remote(error.status(), std::string("positions, which here stand for cells: ") + error.what());
  }
}

namespace {

/// A point on the curve.
struct Key {
  int64_t number, index;
  auto operator<=>(const Key &) const = default;
};

/// Which keys begin the part of each rank but the first. Collective.
std::vector<Key> splitters_of(const Comm &comm, std::span<const Key> sorted, int64_t all) {
  constexpr int64_t samples_per_rank = 16;
  const auto ranks = static_cast<size_t>(comm.size());
  const int64_t step = std::max<int64_t>(1, all / (samples_per_rank * comm.size()));
  std::vector<Key> samples;
  for (int64_t i = step / 2; i < std::ssize(sorted); i += step) samples.push_back(sorted[static_cast<size_t>(i)]);
  std::vector<Packet> outgoing;
  if (!samples.empty()) outgoing.push_back(packet_of<Key>(0, samples));
  samples.clear();
  for (const Packet &packet : comm.exchange(outgoing))
    for (const Key &key : values_in<Key>(packet)) samples.push_back(key);
  std::sort(samples.begin(), samples.end());
  std::vector<Key> splitters(ranks - 1);
  for (size_t s = 0; s < splitters.size() && !samples.empty(); ++s)
    splitters[s] = samples[(s + 1) * samples.size() / ranks];
  comm.broadcast(splitters.data(), static_cast<int64_t>(splitters.size() * sizeof(Key)), 0);
  return splitters;
}

/// A rank's part of the curve, and where its keys came from.
struct Arrived {
  Key key;
  int32_t packet, at;
  bool operator<(const Arrived &other) const { return key < other.key; }
};

/// Collective. Sends the ranks of the packets the numbers, in the order of all, of their keys.
std::vector<Packet> answers_to(const Comm &comm, const std::vector<Packet> &packets) {
  std::vector<Arrived> arrived;
  std::vector<std::vector<int64_t>> places;
  for (const Packet &packet : packets) {
    const std::vector<Key> keys = values_in<Key>(packet);
    for (size_t i = 0; i < keys.size(); ++i)
      arrived.push_back({keys[i], static_cast<int32_t>(places.size()), static_cast<int32_t>(i)});
    places.emplace_back(keys.size());
  }
  std::sort(arrived.begin(), arrived.end());
  const int64_t mine = std::ssize(arrived);
  const std::vector<int64_t> each = comm.all_gather<int64_t>(std::span(&mine, 1));
  int64_t place = std::accumulate(each.begin(), each.begin() + comm.rank(), int64_t{0});
  for (const Arrived &one : arrived) places[static_cast<size_t>(one.packet)][static_cast<size_t>(one.at)] = place++;
  std::vector<Packet> answers;
  for (size_t p = 0; p < packets.size(); ++p) answers.push_back(packet_of<int64_t>(packets[p].rank, places[p]));
  return comm.exchange(answers);
}

/// The number of each key in the order of all ranks' keys; `all`: how many there are. Collective.
std::vector<int64_t> places_of(const Comm &comm, const std::vector<Key> &keys, int64_t all) {
  std::vector<size_t> local(keys.size());
  std::iota(local.begin(), local.end(), size_t{0});
  std::sort(local.begin(), local.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  std::vector<Key> sorted;
  for (const size_t each : local) sorted.push_back(keys[each]);
  const std::vector<Key> splitters = splitters_of(comm, sorted, all);
  std::vector<Packet> outgoing;
  auto first = sorted.begin();
  for (int rank = 0; rank < comm.size(); ++rank) {
    const auto end = rank + 1 == comm.size()
                         ? sorted.end()
                         : std::lower_bound(first, sorted.end(), splitters[static_cast<size_t>(rank)]);
    if (first != end) outgoing.push_back(packet_of<Key>(rank, std::span<const Key>(first, end)));
    first = end;
  }
  std::vector<int64_t> places(keys.size());
  size_t next = 0;  // answers come in the order of ranks, which is that of the curve
  for (const Packet &answer : answers_to(comm, comm.exchange(outgoing)))
    for (const int64_t place : values_in<int64_t>(answer)) places[local[next++]] = place;
  return places;
}

}  // namespace

Decomp *order_points_along_curve(const Decomp &points, std::span<const double> longitude,
                                 std::span<const double> latitude) {
  Context &context = *points.context;
  std::vector<Key> keys;
  context.agree("sv_order_points_along_curve", [&] {
    const std::vector<int64_t> indices = indices_of(*points.layout, context.rank());
    for (size_t i = 0; i < indices.size(); ++i) {
      if (!std::isfinite(longitude[i]) || !(std::abs(latitude[i]) <= 90))
        throw Error(Status::invalid,
                    "point " + std::to_string(i) + " stands at longitude " + std::to_string(longitude[i]) +
                        ", latitude " + std::to_string(latitude[i]),
                    "Give degrees, latitudes from -90 to 90");
      keys.push_back({curve_number(longitude[i], latitude[i]), indices[i]});
    }
  });
  return order_points(points, places_of(context.comm, keys, points.layout->owned_cells()));
}

}  // namespace sv
