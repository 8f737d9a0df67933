// Points: cells of a grid that ranks own anywhere in it. A rank's points are kept as runs, stretches that are
// contiguous both in the file and in the rank's arrays, in the order of the file (Pang et al. 2023, Sect. 4.4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sv {

/// Runs of places (row-major positions in the grid, 64-bit), ascending and disjoint; a view. `before` has an entry more
/// than `place`: the points before each run, and of all.
struct PointRuns {
  std::span<const int64_t> place, before;

  int64_t runs() const { return std::ssize(place); }
  int64_t points() const { return before.empty() ? 0 : before.back(); }
  int64_t length(int64_t run) const { return before[static_cast<size_t>(run) + 1] - before[static_cast<size_t>(run)]; }
  /// How many points stand at places before `limit`. O(log runs).
  int64_t points_before(int64_t limit) const;
  /// The first run that ends after place `at`.
  int64_t run_at(int64_t at) const;
};

/// Their owner.
struct RunList {
  std::vector<int64_t> place, before{0};

  void push(int64_t at, int64_t points) {
    place.push_back(at);
    before.push_back(before.back() + points);
  }
  /// The same, as part of the last run where it continues that.
  void extend(int64_t at, int64_t points) {
    if (place.empty() || at != place.back() + before.back() - before[before.size() - 2]) return push(at, points);
    before.back() += points;
  }
  PointRuns view() const { return {place, before}; }
};

/// A rank's own points: `local[run]` is the number, in the rank's arrays, of the first point of a run.
struct OwnPoints {
  RunList runs;
  std::vector<int64_t> local;
};
/// Sorts what a rank owns: places[i] is that of its i-th point. O(points) beyond the first pass where they are in
/// order. Throws Error(layout) for places outside of [0, cells) and for one that comes twice.
OwnPoints own_points(std::span<const int64_t> places, int64_t cells);

/// Runs in few bytes, as they travel: gaps and lengths as numbers of 7 bits a byte. Only those in [first, last), cut
/// there; places are relative to `first`.
std::vector<std::byte> encoded_runs(const PointRuns &runs, int64_t first, int64_t last);
/// Calls visit(place, length) for each.
template <class Visit>
void for_encoded_runs(std::span<const std::byte> code, int64_t first, Visit &&visit) {
  const std::byte *at = code.data(), *const end = at + code.size();
  const auto next = [](const std::byte *&from) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = std::to_integer<uint64_t>(*from++);
      value |= (byte & 127) << shift;
      if (byte < 128) return static_cast<int64_t>(value);
    }
  };
  for (int64_t place = first; at < end;) {
    place += next(at);
    const int64_t length = next(at) + 1;
    visit(place, length);
    place += length;
  }
}

/// The known owners of points: the runs of some of the ranks, and of the cells without an owner. The lists lie in
/// memory of another object, such as a node's shared memory. It grows when ranks of this node begin to write points of
/// remote ranks.
class PointTable {
 public:
  explicit PointTable(int ranks) : runs_(static_cast<size_t>(ranks)) {}

  const PointRuns &of(int rank) const { return runs_[static_cast<size_t>(rank)]; }
  void set(int rank, const PointRuns &runs) { runs_[static_cast<size_t>(rank)] = runs; }
  /// Of this rank alone: where the first point of each of its runs stands in its arrays.
  std::span<const int64_t> local() const { return local_; }
  void set_local(std::span<const int64_t> local) { local_ = local; }
  /// Cells without an owner: disjoint lists, first those of this node's ranks.
  std::span<const PointRuns> holes() const { return holes_; }
  std::span<const PointRuns> near_holes() const { return holes().first(near_holes_); }
  void set_near_holes(std::vector<PointRuns> holes) {
    holes_ = std::move(holes);
    near_holes_ = holes_.size();
  }
  void set_far_holes(const std::vector<PointRuns> &holes) {
    holes_.resize(near_holes_);
    holes_.insert(holes_.end(), holes.begin(), holes.end());
  }
  /// Owns the memory of the lists. Replaces the memory of the same name.
  enum class Memory { own, local, holes, neighbours, elsewhere };
  void keep(Memory which, std::shared_ptr<const void> memory) { kept_[static_cast<size_t>(which)] = std::move(memory); }
  const std::shared_ptr<const void> &kept(Memory which) const { return kept_[static_cast<size_t>(which)]; }
  /// Of which places each node knows the owners elsewhere, and whether nodes know those of their own ranks. Equal on
  /// all ranks.
  struct Places {
    int64_t first = 0, last = 0;
  };
  std::vector<Places> known_to;
  bool neighbours_known = false;

 private:
  std::vector<PointRuns> runs_;
  std::span<const int64_t> local_;
  std::vector<PointRuns> holes_;
  size_t near_holes_ = 0;
  std::array<std::shared_ptr<const void>, 5> kept_;
};

}  // namespace sv
