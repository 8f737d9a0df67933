#include "prediction/strided_runs.hpp"

#include <algorithm>

namespace sv {

namespace {

/// Two boxes, one in the other, as far as their order matters: dimensions that `part` fills are joined with the one
/// before.
struct Pair {
  Box part, whole;
};

Pair joined(const Box &part, const Box &whole) {
  Pair pair{{{0}, {1}}, {{0}, {1}}};
  for (int d = 0; d < part.dims(); ++d) {
    const int64_t start = part.start[d] - whole.start[d], count = part.count[d], length = whole.count[d];
    if (count == length) {
      const int last = pair.part.dims() - 1;
      pair.part.start[last] *= length;
      pair.part.count[last] *= length;
      pair.whole.count[last] *= length;
    } else {
      pair.part.start.push(start);
      pair.part.count.push(count);
      pair.whole.start.push(0);
      pair.whole.count.push(length);
    }
  }
  return pair;
}

/// Whether the row continues the last record.
bool extend(StridedRun &run, int64_t position, int64_t length) {
  if (length != run.length) return false;
  if (run.count == 1) run.stride = position - run.position;
  if (position != run.position + run.count * run.stride) return false;
  ++run.count;
  return true;
}

}  // namespace

std::vector<StridedRun> strided_runs(const Plan &plan, int stage, const Box &patch, int sink, int round) {
  const Share share = plan.share(stage, sink, round);
  const Box part = intersect(plan.extend(patch), share.box);
  std::vector<StridedRun> runs;
  if (part.empty() || share.elements() == 0) return runs;
  const Pair pair = joined(part, share.box);
  const Index &count = pair.part.count;
  const int64_t rows_in_slab = count.n > 1 ? count[count.n - 2] : 1;
  int64_t slab = -1;  // the record on top belongs to it
  RowCursor cursor(pair.part, pair.whole, share.first, share.last);
  for (Row row; cursor.next(row);) {
    const int64_t here = position(pair.part, row.start) / (rows_in_slab * count[count.n - 1]);
    const int64_t at = row.position - share.first;
    if (here != slab || !extend(runs.back(), at, row.elements)) runs.push_back({at, row.elements, 0, 1});
    slab = here;
  }
  return runs;
}

}  // namespace sv
