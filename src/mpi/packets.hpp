// Packets of values of one type: the message from one rank to another in the exchange of Comm. The engine packs numbers
// with it and unpacks them; both ranks must name the same type.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "mpi/comm.hpp"

namespace sv {

template <class T>
Packet packet_of(int rank, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::span<const std::byte> bytes = std::as_bytes(values);
  return {rank, {bytes.begin(), bytes.end()}};
}

template <class T>
std::vector<T> values_in(const Packet &packet) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> values(packet.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), packet.bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Collective. The values of all ranks, by rank; ranks may have different numbers of them. One call of MPI if no rank
/// has more than `few`.
template <class T, size_t few = 8>
std::vector<std::vector<T>> all_values(const Comm &comm, const std::vector<T> &mine) {
  struct First {
    int64_t count;
    std::array<T, few> values;
  };
  if (comm.size() == 1) return {mine};
  First first{std::ssize(mine), {}};
  std::copy_n(mine.begin(), std::min(few, mine.size()), first.values.begin());
  const std::vector<First> firsts = comm.all_gather<First>(std::span(&first, 1));
  int64_t longest = 0;
  for (const First &each : firsts) longest = std::max(longest, each.count);
  std::vector<std::vector<T>> of_ranks;
  for (const First &each : firsts)
    of_ranks.emplace_back(each.values.begin(), each.values.begin() + std::min<int64_t>(each.count, few));
  const int64_t more = longest - static_cast<int64_t>(few);
  if (more <= 0) return of_ranks;
  std::vector<T> rest(static_cast<size_t>(more));
  if (mine.size() > few) std::copy(mine.begin() + few, mine.end(), rest.begin());
  const std::vector<T> rests = comm.all_gather<T>(rest);
  for (size_t rank = 0; rank < firsts.size(); ++rank) {
    const auto from = rests.begin() + static_cast<std::ptrdiff_t>(rank) * more;
    of_ranks[rank].insert(of_ranks[rank].end(), from,
                          from + std::max<int64_t>(0, firsts[rank].count - static_cast<int64_t>(few)));
  }
  return of_ranks;
}

}  // namespace sv
