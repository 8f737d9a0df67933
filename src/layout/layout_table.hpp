// Which part of a grid each rank owns, as numbers that stand one after the other in memory: of a box only the
// dimensions that it has, and no addresses, so that the ranks of a node can share them. Values and views; a Layout is
// made of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "layout/box_list.hpp"

namespace sv {

/// One box that a rank owns. A block is one patch; a block that wraps around a periodic boundary is up to 2^dims.
/// `local`: where the patch begins inside the rank's block (without halo), in cells. `number`: among the patches of its
/// layout, which sets it.
struct Patch {
  int rank;
  Box box;
  Index local;
  size_t number = 0;
};

class LayoutTable;

/// Patches of a table, one after the other: a view.
class PatchList {
 public:
  PatchList(const LayoutTable &table, size_t first, size_t last) : table_(&table), first_(first), size_(last - first) {}

  /// Of its first one, among the patches of the table.
  size_t first_number() const { return first_; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Patch operator[](size_t i) const;
  Patch front() const { return (*this)[0]; }
  ViewIterator<PatchList> begin() const { return {*this, 0}; }
  ViewIterator<PatchList> end() const { return {*this, size_}; }

 private:
  const LayoutTable *table_;
  size_t first_, size_;
};

/// The numbers of a table, while it is made.
class TableNumbers {
 public:
  /// `patches`: how many there will be; more or less is no error.
  TableNumbers(const Index &shape, int ranks, size_t patches);
  /// Of points, of which there are no patches.
  TableNumbers(const Index &shape, std::vector<int64_t> cells_of_ranks);
  /// In the order of the ranks; not empty.
  void add(const Patch &patch);
  /// With declared `holes`, includes the boxes of the cells without an owner.
  std::vector<int64_t> numbers(bool holes) const;

 private:
  const Index shape_;
  std::vector<int64_t> boxes_, locals_, owners_;
  std::vector<int64_t> patches_of_, cells_of_;  // by rank
  int64_t most_cells_ = 0;                      // of a patch
};

/// The table: a view of such numbers, which `owner` keeps. Copies share them.
class LayoutTable {
 public:
  LayoutTable(std::span<const int64_t> numbers, std::shared_ptr<const void> owner);
  static LayoutTable of_its_own(std::vector<int64_t> numbers);
  /// The same boxes where there are `all` ranks, of which ranks[r] was rank r; in the same order.
  LayoutTable renumbered(std::span<const int> ranks, int all) const;

  int ranks() const { return static_cast<int>(cells_before_.size()) - 1; }
  PatchList patches() const { return {*this, 0, owners_.size()}; }
  PatchList patches_of_rank(int rank) const;
  Patch patch(size_t number) const;
  /// The most that any rank has.
  int64_t most_patches() const { return most_patches_; }
  /// Of the patches.
  const BoxList &boxes() const { return boxes_; }
  BoxList boxes_of_rank(int rank) const;
  int owner(size_t patch) const { return static_cast<int>(owners_[patch]); }
  const BoxList &holes() const { return holes_; }
  int64_t cells_of_rank(int rank) const {
    const auto r = static_cast<size_t>(rank);
    return cells_before_[r + 1] - cells_before_[r];
  }
  int64_t owned_cells() const { return cells_before_.back(); }
  /// Of the largest patch or hole.
  int64_t most_cells() const { return most_cells_; }

 private:
  int dims_ = 0;
  int64_t most_patches_ = 0, most_cells_ = 0;
  BoxList boxes_, holes_;
  std::span<const int64_t> locals_;  // empty where no block wraps around: then all are 0
  std::span<const int64_t> owners_;
  std::span<const int64_t> patches_before_, cells_before_;  // by rank, and one more
  std::shared_ptr<const void> owner_;
};

inline Patch PatchList::operator[](size_t i) const { return table_->patch(first_ + i); }

}  // namespace sv
