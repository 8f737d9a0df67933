// Lists of the runs of points that several ranks own: one after the other in memory that the ranks of a node share, and
// in few bytes as they travel to other nodes. Values; the engine moves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "layout/points.hpp"

namespace sv {

constexpr int nobody = -1;  // the owner of holes

/// Behind what `to` has: the owner, the number of runs, their places, and (one more) the points before each.
void append_list(std::vector<int64_t> &to, int owner, const PointRuns &runs);
/// Calls visit(owner, runs) for each; these are views.
template <class Visit>
void for_lists(std::span<const int64_t> numbers, Visit &&visit) {
  for (size_t at = 0; at < numbers.size();) {
    const int64_t owner = numbers[at], runs = numbers[at + 1];
    const auto n = static_cast<size_t>(runs);
    visit(static_cast<int>(owner), PointRuns{numbers.subspan(at + 2, n), numbers.subspan(at + 2 + n, n + 1)});
    at += 2 * n + 3;
  }
}

/// Appends the part of the list at these positions to `letter`, in few bytes.
void write_list(std::vector<std::byte> &letter, int owner, const PointRuns &runs, const PointTable::Places &places);
/// Appends all lists of a letter that was written with the same places.
void read_lists(std::span<const std::byte> letter, const PointTable::Places &places, std::vector<int64_t> &to);

}  // namespace sv
