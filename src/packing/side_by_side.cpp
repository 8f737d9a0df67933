#include "packing/side_by_side.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace sv {

namespace {

constexpr int64_t portion_alignment = 64, slice_alignment = 4096;  // a line of the cache, a page

}  // namespace

SideBySide::SideBySide(std::vector<const Schedule *> all, const Topology &topology, const Budget &budget)
    : all_(std::move(all)) {
  find_writers(topology);
  int64_t bytes = 0;  // of the slices of all nodes, which is more than any node has or sends
  const int64_t most = budget.outgoing > 0 ? std::min(budget.slices, budget.outgoing) : budget.slices;
  for (int s = 0; s < std::ssize(all_); ++s) {
    const Schedule &each = *all_[static_cast<size_t>(s)];
    int64_t needed = 0;
    for (int sink = 0; sink < each.sinks(); ++sink) needed += align_up(each.slice_bytes(sink, 0), portion_alignment);
    const int64_t room = most - slice_alignment * std::ssize(writers_);
    if (firsts_.empty() || bytes + needed > room) {
      begin_round(s);
      bytes = 0;
    }
    place(s);
    bytes += needed;
  }
  firsts_.push_back(static_cast<int>(std::ssize(all_)));
  set_begins();
}

void SideBySide::find_writers(const Topology &topology) {
  for (const Schedule *each : all_)
    for (int sink = 0; sink < each->sinks(); ++sink) writers_.push_back(each->rank_of(sink));
  std::sort(writers_.begin(), writers_.end());
  writers_.erase(std::unique(writers_.begin(), writers_.end()), writers_.end());
  of_node_.resize(topology.ranks_of.size());
  for (int sink = 0; sink < sinks(); ++sink)
    of_node_[static_cast<size_t>(topology.node_of[static_cast<size_t>(rank_of(sink))])].push_back(sink);
}

void SideBySide::begin_round(int first) {
  firsts_.push_back(first);
  slices_.resize(firsts_.size() * writers_.size());
}

/// In the last round that was begun.
void SideBySide::place(int schedule) {
  const Schedule &placed = *all_[static_cast<size_t>(schedule)];
  for (int sink = 0; sink < placed.sinks(); ++sink) {
    const auto writer = std::lower_bound(writers_.begin(), writers_.end(), placed.rank_of(sink)) - writers_.begin();
    Slice &to = slices_[slices_.size() - writers_.size() + static_cast<size_t>(writer)];
    const int64_t begin = align_up(to.bytes, portion_alignment);
    to.portions.push_back({schedule, sink, begin});
    to.bytes = begin + placed.slice_bytes(sink, 0);
  }
}

/// Those of a node, one behind the other.
void SideBySide::set_begins() {
  for (auto round = slices_.begin(); round != slices_.end(); round += std::ssize(writers_))
    for (const std::vector<int> &sinks : of_node_) {
      int64_t end = 0;
      for (const int sink : sinks) {
        round[sink].begin_bytes = end;
        end = align_up(end + round[sink].bytes, slice_alignment);
      }
    }
}

int64_t SideBySide::bytes_of(int rank, int sink, int round) const {
  int64_t bytes = 0;
  for (const Portion &each : portions(sink, round)) bytes += of(each).bytes_of(rank, each.sink, 0);
  return bytes;
}

void SideBySide::spread(const Part &part, const std::byte *message, std::byte *slice) const {
  for (const Portion &each : portions(part.sink, part.round)) {
    of(each).spread({part.rank, each.sink, 0}, message, slice + each.begin_bytes);
    message += of(each).bytes_of(part.rank, each.sink, 0);
  }
}

void SideBySide::gather(const Part &part, const std::byte *slice, std::byte *message) const {
  for (const Portion &each : portions(part.sink, part.round)) {
    of(each).gather({part.rank, each.sink, 0}, slice + each.begin_bytes, message);
    message += of(each).bytes_of(part.rank, each.sink, 0);
  }
}

bool SideBySide::fills() const {
  return std::any_of(all_.begin(), all_.end(), [](const Schedule *each) { return each->fills(); });
}

void SideBySide::fill(int sink, int round, std::byte *slice) const {
  for (const Portion &each : portions(sink, round))
    if (of(each).fills()) of(each).fill(each.sink, 0, slice + each.begin_bytes);
}

}  // namespace sv
