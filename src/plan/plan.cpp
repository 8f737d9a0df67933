#include "plan/plan.hpp"

#include <algorithm>

#include "plan/chunk_grid.hpp"

namespace sv {

namespace {

Share chunk_share(const Plan &plan, int sink, int round) {
  const ChunkGrid grid(plan.field);
  const int64_t number = round / plan.parts * std::ssize(plan.stages.front().sinks) + sink;
  if (round >= plan.rounds || number >= grid.chunks()) {
    const Box whole = Box::whole(plan.field.shape);
    return {whole, 0, 0};
  }
  if (plan.single_dims > 0) return grid.part(number, plan.single_dims, round % plan.parts);
  Share share = grid.share(number);
  const int64_t begin = share.first + round % plan.parts * plan.round_elements;
  share.last = std::min(share.last, begin + plan.round_elements);
  share.first = std::min(share.last, begin);
  return share;
}

}  // namespace

Share Plan::share(int stage, int sink, int round) const {
  if (by_chunks) return chunk_share(*this, sink, round);
  const Sink to = stages[stage].sinks[sink];
  if (to.feeds < 0) {
    const Share &all = to.territory;
    if (round >= rounds) return {all.box, all.last, all.last};
    const int64_t chunk = (round + to.turn) % rounds;
    const int64_t begin = all.first + chunk * round_elements - to.phase_elements;
    return {all.box, std::clamp(begin, all.first, all.last), std::clamp(begin + round_elements, all.first, all.last)};
  }
  const Share next = share(stage + 1, to.feeds, round);
  const Box &box = to.territory.box;
  return {box, count_before(box, next.box, next.first), count_before(box, next.box, next.last)};
}

int64_t Plan::slice_begin(int stage, int sink, int round) const {
  const Sinks &sinks = stages[stage].sinks;
  int64_t begin = sinks.window(sink);
  // The sinks of an I/O domain stand together, in the order of those they feed.
  for (int s = sink - std::max(0, sinks.feeds(sink)); s < sink; ++s) begin += share(stage, s, round).elements();
  return begin;
}

Box Plan::extend(const Box &patch) const { return extended(patch, field.shape, field.first_axis); }

int64_t Plan::elements(int stage, const Box &patch, int sink, int round) const {
  if (!stages[stage].sinks.may_meet(sink, patch)) return 0;
  const Share to = share(stage, sink, round);
  if (to.first == to.last) return 0;
  return elements_in(intersect(extend(patch), to.box), to);
}

int Plan::collecting_sink(const Patch &domain, int sink) const {
  return static_cast<int>(domain.number * stages[1].sinks.size()) + sink;
}

}  // namespace sv
