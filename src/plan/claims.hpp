// The cells of one field that ranks request, where the requests of many ranks meet. Combined requests
// (plan/combined.hpp) are planned from it; it also detects two requests for the same cell. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layout/box.hpp"

namespace sv {

/// A box of a field that a request of a rank asks for. `order`: the how-many-th of that rank's requests on this field;
/// a request of several regions has several boxes.
struct Claim {
  int rank, order;
  Box box;              // not empty
  int region = 0;       // of the request
  Segment reach{0, 0};  // from its first cell to the one after its last, in the field's order: set by Claims
};

/// Those of one field. An immutable value, which many fields (records of a variable, variables on one grid) may share.
class Claims {
 public:
  /// `claims`: in the order of their ranks. `depth`: where it is known; 0: to be found out.
  Claims(const Index &shape, int ranks, std::vector<Claim> claims, int64_t depth);

  /// Of which only this is known everywhere: how many elements each rank claims, and where they begin and end.
  Claims(const Index &shape, const std::vector<int64_t> &elements_of_ranks, const Segment &reach, int64_t depth);

  const Index &shape() const { return shape_; }
  std::span<const Claim> all() const { return claims_; }
  std::span<const Claim> of_rank(int rank) const;
  std::span<const Box> boxes() const { return boxes_; }  // of all
  /// The elements from the first claimed one to the last, in the row-major order of the field.
  Segment reach() const { return reach_; }
  /// At least as many claims as share any one cell; 1 where they are disjoint.
  int64_t depth() const { return depth_; }
  /// Whether every cell is claimed (of disjoint claims).
  bool cover_all() const { return depth_ == 1 && elements_ == shape_.product(); }
  int64_t elements() const { return elements_; }  // of all claims together
  int64_t elements_of(int rank) const { return elements_before_[rank + 1] - elements_before_[rank]; }

 private:
  Index shape_;
  std::vector<Claim> claims_;
  std::vector<Box> boxes_;
  std::vector<int64_t> first_claim_, elements_before_;  // by rank, ranks + 1 entries
  Segment reach_{0, 0};
  int64_t elements_ = 0, depth_;
};

/// For each claim, another one that shares a cell with it, as an index; -1 where none does. Walks the boxes in an order
/// of the field's cells and compares those whose ranges of that order meet: O(n log n) and the pairs so met.
std::vector<int> rivals(const Index &shape, std::span<const Claim> claims);

/// The claims without what later ones take from earlier ones: of a rank, the later request wins, and of several ranks
/// the higher. Disjoint.
std::vector<Claim> without_overlaps(const Index &shape, std::span<const Claim> claims);

/// The claims (indices) in as few groups as come of taking them in turn; those of a group are disjoint.
std::vector<std::vector<int>> disjoint_groups(const Index &shape, std::span<const Claim> claims);

/// Claims that are read together with the cells between them, because this costs less than reading them one by one.
/// Borrows the claims.
struct ClaimGroup {
  Box around;
  std::vector<const Claim *> claims;  // in the order of their first cells
};

/// All of them, in groups whose boxes have at most `most_bytes`, except for a group of one. Disjoint groups or not.
std::vector<ClaimGroup> read_together(std::span<const Claim> claims, int64_t element_bytes, int64_t most_bytes);

}  // namespace sv
