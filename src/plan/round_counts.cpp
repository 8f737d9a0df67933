#include "plan/round_counts.hpp"

#include <algorithm>

namespace sv {

namespace {

/// Rows [first, last) of the first dimension that the layout divides; boxes that reach beyond row `but_beyond` are
/// done.
struct Rows {
  int64_t first, last, but_beyond;
};

class Counter {
 public:
  Counter(const Plan &plan, const Topology &topology, std::vector<CountedBox> boxes, int64_t most)
      : plan_(plan), topology_(topology), axis_(plan.field.first_axis), boxes_(std::move(boxes)), left_(most) {
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
    most_.resize(static_cast<size_t>(sums));
  }

  std::optional<std::vector<int64_t>> run() {
    const auto stage = static_cast<int>(plan_.stages.size()) - 1;
    const std::vector<Sink> &sinks = plan_.stages.back().sinks;
    for (int round = 0; round < plan_.rounds; ++round) {
      std::fill(now_.begin(), now_.end(), 0);
      for (size_t s = 0; s < sinks.size(); ++s) {
        const Share share = plan_.share(stage, static_cast<int>(s), round);
        if (share.elements() == 0) continue;
        add(share, topology_.node_of[static_cast<size_t>(sinks[s].rank)]);
        if (left_ < 0) return std::nullopt;
      }
      for (size_t i = 0; i < now_.size(); ++i) most_[i] = std::max(most_[i], now_[i]);
    }
    return most_;
  }

 private:
  void add(const Share &share, int node);
  void add_rows(const Share &share, int node, const Rows &rows);

  const Plan &plan_;
  const Topology &topology_;
  const int axis_;
  std::vector<CountedBox> boxes_;  // by their first rows
  std::vector<int64_t> begins_;    // these
  int64_t tallest_ = 0, left_;
  std::vector<int64_t> now_, most_;
};

/// A share goes through the rows of its box again and again, once for each level.
void Counter::add(const Share &share, int node) {
  const Box &box = share.box;
  int64_t row = 1;
  for (int d = axis_ + 1; d < box.dims(); ++d) row *= box.count[d];
  const int64_t rows = box.count[axis_], first = share.first / row, last = (share.last - 1) / row + 1;
  const int64_t begin = box.start[axis_], from = begin + first % rows;
  if (last - first >= rows) return add_rows(share, node, {begin, begin + rows, begin + rows});
  const int64_t to = from + last - first, end = begin + rows;
  add_rows(share, node, {from, std::min(to, end), end});
  if (to > end) add_rows(share, node, {begin, begin + to - end, from});
}

void Counter::add_rows(const Share &share, int node, const Rows &rows) {
  const auto first = std::upper_bound(begins_.begin(), begins_.end(), rows.first - tallest_) - begins_.begin();
  for (auto i = static_cast<size_t>(first); i < boxes_.size() && begins_[i] < rows.last; ++i) {
    const CountedBox &each = boxes_[i];
    if (--left_ < 0) return;
    const int64_t end = begins_[i] + each.box.count[axis_];
    if (end <= rows.first || end > rows.but_beyond) continue;
    if (each.but_node == node || !meet(each.box, share.box)) continue;
    now_[static_cast<size_t>(each.sum)] += elements_in(intersect(each.box, share.box), share);
  }
}

}  // namespace

std::optional<std::vector<int64_t>> most_in_rounds(const Plan &plan, const Topology &topology,
                                                   std::vector<CountedBox> boxes, int64_t most) {
  return Counter(plan, topology, std::move(boxes), most).run();
}

}  // namespace sv
