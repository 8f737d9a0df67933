#include "plan/owners.hpp"

#include <algorithm>

#include "layout/layout.hpp"

namespace sv {

namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Stripes from the one asked for to `end` (excluded) have the same owner.
struct StripeRun {
  int writer;
  int64_t end;
};

/// The stripes of `extent` that begin at or after `stripe` and belong to the same writer. An extent with fewer stripes
/// than there are writers gives them to the writers in turn, by their number in the file, so that many small fields do
/// not all fall to the first writers.
StripeRun owner_of(int64_t stripe, const Extent &extent, int writers, int64_t stripe_bytes) {
  const int64_t first = ceil_div(extent.begin, stripe_bytes), n = ceil_div(extent.end, stripe_bytes) - first;
  if (extent.begin == 0) return {0, std::max(stripe, first + n - 1) + 1};
  if (n < writers) return {static_cast<int>(stripe % writers), stripe + 1};
  const int64_t i = stripe - first;
  if (i >= n) return {writers - 1, stripe + 1};  // begins in the gap after the extent
  // The inverse of part_of: the first `longer` parts have one stripe more.
  const int64_t each = n / writers, longer = n % writers;
  const int64_t w = i < longer * (each + 1) ? i / (each + 1) : (i - longer) / each;
  const Part part = part_of(n, writers, w);
  return {static_cast<int>(w), first + part.start + part.count};
}

}  // namespace

std::vector<OwnedRange> owner_ranges(const Field &field, const ExtentMap &extents, int writers, int64_t stripe_bytes) {
  const int64_t elements = field.shape.product();
  std::vector<OwnedRange> ranges;
  const auto append = [&ranges](int writer, int64_t first, int64_t last) {
    if (first == last) return;
    if (!ranges.empty() && ranges.back().writer == writer) {
      ranges.back().last = last;
    } else {
      ranges.push_back({writer, first, last});
    }
  };
  if (writers == 1) {
    append(0, 0, elements);
    return ranges;
  }
  int64_t first = 0;
  for (int64_t stripe = field.offset_bytes / stripe_bytes; first < elements;) {
    const StripeRun run = owner_of(stripe, extents.covering(stripe * stripe_bytes), writers, stripe_bytes);
    const int64_t end_bytes = run.end * stripe_bytes - field.offset_bytes;
    const int64_t last = std::min(elements, ceil_div(end_bytes, field.element_bytes));
    append(run.writer, first, last);
    first = last;
    stripe = run.end;
  }
  return ranges;
}

}  // namespace sv
