#include "plan/flow.hpp"

namespace sv {

std::vector<Box> boxes_of(const Plan &plan, const Stage &stage, const std::vector<int> &ranks) {
  std::vector<Box> boxes;
  for (const int rank : ranks) {
    for (const Patch &patch : stage.sources->patches_of_rank(rank)) boxes.push_back(patch.box);
  }
  boxes = merged(std::move(boxes));
  for (Box &box : boxes) box = plan.extend(box);
  return boxes;
}

void for_each_flow(const Plan &plan, const Sink &sink, const std::vector<Box> &parts,
                   const std::function<void(int round, int64_t elements)> &visit) {
  // Chunks are those of the writer: in a collecting stage, of the sink that this one feeds.
  const Sink &writer = sink.feeds < 0 ? sink : plan.stages.back().sinks[sink.feeds];
  const Share &territory = writer.territory;
  std::vector<Box> inside;
  for (const Box &part : parts) {
    if (meet(part, sink.territory.box)) inside.push_back(intersect(part, sink.territory.box));
  }
  if (inside.empty()) return;
  const auto count = [&](int64_t limit) {
    int64_t total = 0;
    for (const Box &part : inside) total += count_before(part, territory.box, limit);
    return total;
  };
  int64_t before = count(territory.first), end = territory.first - writer.phase_elements;
  const int64_t all = count(territory.last);
  for (int chunk = 0; before < all; ++chunk) {
    end += plan.round_elements;
    const int64_t now = end < territory.last ? count(end) : all;
    if (now > before) visit((chunk - writer.turn + plan.rounds) % plan.rounds, now - before);
    before = now;
  }
}

}  // namespace sv
