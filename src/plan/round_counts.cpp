#include "plan/round_counts.hpp"

#include <algorithm>

namespace sv {

/// Rows [first, last) of the first dimension that the layout divides; boxes that reach beyond row `but_beyond` are
/// done.
struct RoundCounter::Rows {
  int64_t first, last, but_beyond;
};

/// What a writer on `node` takes in in a round.
struct RoundCounter::Taken {
  Taken(const Share &taken_share, int writer_node, const Box &field)
      : share(taken_share),
        node(writer_node),
        of_field(share.box == field),
        first(share.box, share.first),
        last(share.box, share.last) {}
  int64_t of(const Box &box) const {
    if (of_field) return in(box);
    return meet(box, share.box) ? in(intersect(box, share.box)) : 0;
  }
  int64_t in(const Box &part) const { return last.of(part) - first.of(part); }

  const Share &share;
  const int node;
  const bool of_field;  // a part of its order, in which all boxes lie
  const CellsBefore first, last;
};

RoundCounter::RoundCounter(const Plan &plan, const Topology &topology, std::vector<CountedBox> boxes)
    : plan_(plan), topology_(topology), axis_(plan.field.first_axis), boxes_(std::move(boxes)) {
  const auto begin = [this](const CountedBox &each) { return each.box.start[axis_]; };
  std::sort(boxes_.begin(), boxes_.end(),
            [&](const CountedBox &a, const CountedBox &b) { return begin(a) < begin(b); });
  int sums = 0;
  for (const CountedBox &each : boxes_) {
    begins_.push_back(begin(each));
    tallest_ = std::max(tallest_, each.box.count[axis_]);
    sums = std::max(sums, each.sum + 1);
  }
  now_.resize(static_cast<size_t>(sums));
}

std::optional<std::vector<int64_t>> RoundCounter::most_in_rounds(int64_t most) {
  const auto stage = static_cast<int>(plan_.stages.size()) - 1;
  const Sinks &sinks = plan_.stages.back().sinks;
  const Box field = Box::whole(plan_.field.shape);
  std::vector<int64_t> result(now_.size(), 0);
  left_ = most;
  for (int round = 0; round < plan_.rounds; ++round) {
    std::fill(now_.begin(), now_.end(), 0);
    for (size_t s = 0; s < sinks.size(); ++s) {
      const Share share = plan_.share(stage, static_cast<int>(s), round);
      if (share.elements() == 0) continue;
      add({share, topology_.node_of[static_cast<size_t>(sinks.rank(s))], field});
      if (left_ < 0) return std::nullopt;
    }
    for (size_t i = 0; i < now_.size(); ++i) result[i] = std::max(result[i], now_[i]);
  }
  return result;
}

/// A share goes through the rows of its box again and again, once for each level.
void RoundCounter::add(const Taken &taken) {
  const Share &share = taken.share;
  const Box &box = share.box;
  int64_t row = 1;
  for (int d = axis_ + 1; d < box.dims(); ++d) row *= box.count[d];
  const int64_t rows = box.count[axis_], first = share.first / row, last = (share.last - 1) / row + 1;
  const int64_t begin = box.start[axis_], from = begin + first % rows;
  if (last - first >= rows) return add_rows(taken, {begin, begin + rows, begin + rows});
  const int64_t to = from + last - first, end = begin + rows;
  add_rows(taken, {from, std::min(to, end), end});
  if (to > end) add_rows(taken, {begin, begin + to - end, from});
}

void RoundCounter::add_rows(const Taken &taken, const Rows &rows) {
  const auto first = std::upper_bound(begins_.begin(), begins_.end(), rows.first - tallest_) - begins_.begin();
  for (auto i = static_cast<size_t>(first); i < boxes_.size() && begins_[i] < rows.last; ++i) {
    const CountedBox &each = boxes_[i];
    if (--left_ < 0) return;
    const int64_t end = begins_[i] + each.box.count[axis_];
    if (end <= rows.first || end > rows.but_beyond || each.but_node == taken.node) continue;
    now_[static_cast<size_t>(each.sum)] += taken.of(each.box);
  }
}

}  // namespace sv
