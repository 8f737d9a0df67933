#include "plan/claims.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace sv {

namespace {

/// From the first cell of a box to the one after its last, in the row-major order of the field.
Segment reach_of(const Box &box, const Index &shape) {
  const Box whole = Box::whole(shape);
  Index last = box.start;
  for (int d = 0; d < box.dims(); ++d) last[d] += box.count[d] - 1;
  return {position(whole, box.start), position(whole, last) + 1};
}

/// The same in the row-major order of these dimensions alone.
Segment reach_along(const Box &box, const Index &shape, const std::vector<int> &dims) {
  Index extent;
  Box part;
  for (const int d : dims) {
    extent.push(shape[d]);
    part.start.push(box.start[d]);
    part.count.push(box.count[d]);
  }
  return reach_of(part, extent);
}

/// How many pairs of segments meet.
int64_t meetings(const std::vector<Segment> &segments) {
  std::vector<int64_t> begins, ends;
  for (const Segment &each : segments) {
    begins.push_back(each.first);
    ends.push_back(each.last);
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  int64_t pairs = 0;
  for (size_t i = 0, ended = 0; i < begins.size(); ++i) {
    while (ends[ended] <= begins[i]) ++ended;
    pairs += static_cast<int64_t>(i - ended);
  }
  return pairs;
}

/// The ranges of an order of the cells in which disjoint boxes are rarely found together. Dimensions in which all
/// boxes are alike (the levels of points) do not help; of the others, the slowest or the fastest comes first.
std::vector<Segment> telling_reaches(const Index &shape, std::span<const Claim> claims) {
  std::vector<int> dims;
  for (int d = 0; d < shape.n; ++d) {
    const Box &first = claims.front().box;
    if (std::any_of(claims.begin(), claims.end(), [&](const Claim &each) {
          return each.box.start[d] != first.start[d] || each.box.count[d] != first.count[d];
        }))
      dims.push_back(d);
  }
  std::vector<Segment> best, other;
  for (const Claim &each : claims) best.push_back(reach_along(each.box, shape, dims));
  std::reverse(dims.begin(), dims.end());
  for (const Claim &each : claims) other.push_back(reach_along(each.box, shape, dims));
  return dims.size() > 1 && meetings(other) < meetings(best) ? other : best;
}

/// Calls visit(a, b) for indices of boxes that share cells.
void for_meeting(const Index &shape, std::span<const Claim> claims, const std::function<void(int, int)> &visit) {
  if (claims.empty()) return;
  const std::vector<Segment> reaches = telling_reaches(shape, claims);
  std::vector<int> order(claims.size());
  std::iota(order.begin(), order.end(), 0);
  const auto reach = [&](int i) -> const Segment & { return reaches[static_cast<size_t>(i)]; };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::pair(reach(a).first, a) < std::pair(reach(b).first, b); });
  std::vector<int> open;  // those that reach to the present one
  for (const int each : order) {
    std::erase_if(open, [&](int other) { return reach(other).last <= reach(each).first; });
    for (const int other : open)
      if (meet(claims[static_cast<size_t>(other)].box, claims[static_cast<size_t>(each)].box))
        visit(std::min(other, each), std::max(other, each));
    open.push_back(each);
  }
}

/// Appends what `box` has outside `taken`, which it meets, as disjoint boxes.
void append_rest(Box box, const Box &taken, std::vector<Box> &rest) {
  for (int d = 0; d < box.dims(); ++d) {
    const int64_t begin = std::max(box.start[d], taken.start[d]), end = box.start[d] + box.count[d];
    const int64_t taken_end = std::min(end, taken.start[d] + taken.count[d]);
    Box before = box, after = box;
    before.count[d] = begin - box.start[d];
    after.start[d] = taken_end;
    after.count[d] = end - taken_end;
    if (!before.empty()) rest.push_back(before);
    if (!after.empty()) rest.push_back(after);
    box.start[d] = begin;
    box.count[d] = taken_end - begin;
  }
}

auto priority(const Claim &claim) { return std::tuple(claim.rank, claim.order, claim.region); }

}  // namespace

Claims::Claims(const Index &shape, int ranks, std::vector<Claim> claims, int64_t depth)
    : shape_(shape), claims_(std::move(claims)), depth_(std::max<int64_t>(1, depth)) {
  first_claim_.assign(static_cast<size_t>(ranks) + 1, 0);
  elements_before_.assign(static_cast<size_t>(ranks) + 1, 0);
  if (!claims_.empty()) reach_ = reach_of(claims_.front().box, shape);
  for (Claim &each : claims_) {
    const Segment reach = each.reach = reach_of(each.box, shape);
    reach_ = {std::min(reach_.first, reach.first), std::max(reach_.last, reach.last)};
    elements_ += each.box.elements();
    ++first_claim_[static_cast<size_t>(each.rank) + 1];
    elements_before_[static_cast<size_t>(each.rank) + 1] += each.box.elements();
    boxes_.push_back(each.box);
  }
  std::partial_sum(first_claim_.begin(), first_claim_.end(), first_claim_.begin());
  std::partial_sum(elements_before_.begin(), elements_before_.end(), elements_before_.begin());
  if (depth > 0) return;
  std::vector<int64_t> met(claims_.size(), 1);
  for_meeting(shape_, claims_, [&](int a, int b) {
    ++met[static_cast<size_t>(a)];
    ++met[static_cast<size_t>(b)];
  });
  for (const int64_t each : met) depth_ = std::max(depth_, each);
}

Claims::Claims(const Index &shape, const std::vector<int64_t> &elements_of_ranks, const Segment &reach, int64_t depth)
    : shape_(shape), first_claim_(elements_of_ranks.size() + 1, 0), elements_before_{0}, reach_(reach), depth_(depth) {
  for (const int64_t elements : elements_of_ranks) elements_before_.push_back(elements_ += elements);
}

std::span<const Claim> Claims::of_rank(int rank) const {
  const auto first = static_cast<size_t>(first_claim_[static_cast<size_t>(rank)]);
  const auto last = static_cast<size_t>(first_claim_[static_cast<size_t>(rank) + 1]);
  return std::span(claims_).subspan(first, last - first);
}

std::vector<int> rivals(const Index &shape, std::span<const Claim> claims) {
  std::vector<int> all(claims.size(), -1);
  for_meeting(shape, claims, [&](int a, int b) {
    if (all[static_cast<size_t>(a)] < 0) all[static_cast<size_t>(a)] = b;
    if (all[static_cast<size_t>(b)] < 0) all[static_cast<size_t>(b)] = a;
  });
  return all;
}

std::vector<Claim> without_overlaps(const Index &shape, std::span<const Claim> claims) {
  std::vector<std::vector<int>> taken_by(claims.size());
  for_meeting(shape, claims, [&](int a, int b) {
    const bool later = priority(claims[static_cast<size_t>(b)]) > priority(claims[static_cast<size_t>(a)]);
    taken_by[static_cast<size_t>(later ? a : b)].push_back(later ? b : a);
  });
  std::vector<Claim> left;
  for (size_t i = 0; i < claims.size(); ++i) {
    std::vector<Box> parts{claims[i].box}, rest;
    for (const int by : taken_by[i]) {
      rest.clear();
      for (const Box &part : parts) {
        if (meet(part, claims[static_cast<size_t>(by)].box))
          append_rest(part, claims[static_cast<size_t>(by)].box, rest);
        else
          rest.push_back(part);
      }
      parts.swap(rest);
    }
    for (const Box &part : parts) left.push_back({claims[i].rank, claims[i].order, part, claims[i].region});
  }
  return left;
}

std::vector<std::vector<int>> disjoint_groups(const Index &shape, std::span<const Claim> claims) {
  std::vector<std::vector<int>> met(claims.size());
  for_meeting(shape, claims, [&](int a, int b) { met[static_cast<size_t>(b)].push_back(a); });
  std::vector<size_t> group_of(claims.size());
  std::vector<std::vector<int>> groups;
  for (size_t i = 0; i < claims.size(); ++i) {
    std::vector<bool> taken(groups.size() + 1, false);
    for (const int other : met[i]) taken[group_of[static_cast<size_t>(other)]] = true;
    group_of[i] = static_cast<size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    groups.resize(std::max(groups.size(), group_of[i] + 1));
    groups[group_of[i]].push_back(static_cast<int>(i));
  }
  return groups;
}

namespace {

constexpr int64_t row_costs_bytes =
    4 << 10;  // to read one more row of cells in the file, as bytes that are read for nothing

int64_t rows_of(const Box &box) { return box.dims() == 0 ? 1 : box.elements() / box.count[box.dims() - 1]; }

Box around(const Box &a, const Box &b) {
  Box both = a;
  for (int d = 0; d < a.dims(); ++d) {
    both.start[d] = std::min(a.start[d], b.start[d]);
    both.count[d] = std::max(a.start[d] + a.count[d], b.start[d] + b.count[d]) - both.start[d];
  }
  return both;
}

}  // namespace

std::vector<ClaimGroup> read_together(std::span<const Claim> claims, int64_t element_bytes, int64_t most_bytes) {
  std::vector<const Claim *> ordered;
  for (const Claim &each : claims) ordered.push_back(&each);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Claim *a, const Claim *b) { return a->reach.first < b->reach.first; });
  std::vector<ClaimGroup> groups;
  int64_t wanted = 0, rows = 0;  // elements, and rows, of the last group
  for (const Claim *each : ordered) {
    if (!groups.empty()) {
      ClaimGroup &last = groups.back();
      const Box both = around(last.around, each->box);
      const int64_t for_nothing = both.elements() - wanted - each->box.elements();
      if (both.elements() * element_bytes <= most_bytes &&
          for_nothing * element_bytes <= (rows + rows_of(each->box)) * row_costs_bytes) {
        last.around = both;
        last.claims.push_back(each);
        wanted += each->box.elements();
        rows += rows_of(each->box);
        continue;
      }
    }
    groups.push_back({each->box, {each}});
    wanted = each->box.elements();
    rows = rows_of(each->box);
  }
  return groups;
}

}  // namespace sv
