// Texts of the configuration, and sums over cells, which the ranks of a model share outside of files. Collective.
// Throws Failure(SV_EMPI).
#pragma once

#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "exact_sum.hpp"
#include "sverdrup/sverdrup.h"

namespace sv::streams {

/// Local. Throws Failure(SV_EMPI), unless the code of a call is MPI_SUCCESS.
void must_mpi(int code, const char *call);
/// The parts of exchanged().
struct ItemCounts {
  size_t item_bytes;
  const std::vector<int> &sent, &received;  // by rank
};
void exchange_counts(sv_context *io, const std::vector<int> &counts, std::vector<int> &received);
void exchange_items(sv_context *io, const ItemCounts &counts, const void *items, void *received);

/// Local.
bool is_first_rank(sv_context *io);
std::pair<int64_t, int64_t> rank_and_ranks(sv_context *io);
/// From the first rank to all.
void share(sv_context *io, int &number);
void share(sv_context *io, std::string &text);
int64_t largest_of_ranks(sv_context *io, int64_t number);
/// Each number becomes the least one of all ranks.
void take_least(sv_context *io, std::vector<int64_t> &numbers);
void take_least(sv_context *io, std::vector<double> &numbers);
/// The lists of all ranks, one after the other.
std::vector<int64_t> joined(sv_context *io, const std::vector<int64_t> &numbers);
std::vector<double> joined(sv_context *io, const std::vector<double> &numbers);
/// Sends a list to each rank. Returns that of each rank to this one.
template <class Item>
std::vector<std::vector<Item>> exchanged(sv_context *io, const std::vector<std::vector<Item>> &lists) {
  static_assert(std::is_trivially_copyable_v<Item>);
  std::vector<int> counts, received_counts;
  std::vector<Item> sent;
  for (const std::vector<Item> &list : lists) {
    counts.push_back(static_cast<int>(list.size()));
    sent.insert(sent.end(), list.begin(), list.end());
  }
  exchange_counts(io, counts, received_counts);
  std::vector<Item> received(
      static_cast<size_t>(std::accumulate(received_counts.begin(), received_counts.end(), int64_t{0})));
  exchange_items(io, {sizeof(Item), counts, received_counts}, sent.data(), received.data());
  std::vector<std::vector<Item>> made;
  auto next = received.begin();
  for (const int count : received_counts) {
    made.emplace_back(next, next + count);
    next += count;
  }
  return made;
}
/// Each sum becomes that over all ranks.
void add_over_ranks(sv_context *io, std::vector<ExactSum> &sums);

}  // namespace sv::streams
