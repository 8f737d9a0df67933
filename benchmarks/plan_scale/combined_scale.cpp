// Times the plan of combined requests: 500 variables of 32 x 32 doubles per rank, of more and more records, all put in
// one wait; as a line of JSON each:
//
//   combined_scale [variables [ranks [writers]]]                 by default 500 16 2
//
// seconds: the plan, and a walk over all that one rank packs; the median of five. bytes: of memory that the plan holds.
// bands: as many as variables, where a request spans all records; or one for each record, the dearest.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "plan/combined.hpp"

namespace {

using namespace sv;
using Clock = std::chrono::steady_clock;

constexpr int64_t side = 32, element_bytes = 8, header_bytes = 4096;

struct Case {
  int variables = 500, ranks = 16, writers = 2;
  int64_t records = 0;
  bool by_record = false;
};

/// Slabs that touch.
class Slabs final : public ExtentMap {
 public:
  explicit Slabs(int64_t slab_bytes) : slab_bytes_(slab_bytes) {}
  Extent covering(int64_t offset_bytes) const override {
    if (offset_bytes < header_bytes) return {0, header_bytes};
    const int64_t begin = header_bytes + (offset_bytes - header_bytes) / slab_bytes_ * slab_bytes_;
    return {begin, begin + slab_bytes_};
  }

 private:
  int64_t slab_bytes_;
};

std::vector<Band> bands_of(const Case &c) {
  const Index shape{side, side * c.ranks};
  const int64_t slab_bytes = side * side * c.ranks * element_bytes;
  std::vector<Claim> claims;
  for (int rank = 0; rank < c.ranks; ++rank) claims.push_back({rank, 0, {{0, rank * side}, {side, side}}});
  const auto shared = std::make_shared<const Claims>(shape, c.ranks, std::move(claims), 1);
  std::vector<Band> bands;
  for (int v = 0; v < c.variables; ++v)
    for (int64_t first = 0; first < c.records; first += c.by_record ? 1 : c.records) {
      const int64_t begin = header_bytes + (first * c.variables + v) * slab_bytes;
      bands.push_back(
          {v, first, c.by_record ? 1 : c.records, begin, c.variables * slab_bytes, element_bytes, shared, {}});
    }
  return bands;
}

/// The bytes that a rank packs, over all rounds.
int64_t packed_bytes(const CombinedPlan &plan, int rank) {
  int64_t bytes = 0;
  for (int s = 0; s < static_cast<int>(plan.stretches().size()); ++s)
    for (int round = 0; round < plan.rounds(); ++round)
      plan.for_portions(s, round, [&](const Portion &portion) {
        for (const Claim &claim : plan.band_of(portion).claims->of_rank(rank))
          bytes += elements_in(claim.box, plan.share_of(portion)) * plan.band_of(portion).element_bytes;
      });
  return bytes;
}

void run(const Case &c) {
  constexpr int repeats = 5;
  const Topology topology = Topology::uniform(c.ranks, c.ranks);
  const Slabs extents(side * side * c.ranks * element_bytes);
  std::vector<int> writers;
  for (int w = 0; w < c.writers; ++w) writers.push_back(w * c.ranks / c.writers);
  std::vector<double> seconds;
  size_t held = 0;
  int64_t packed = 0;
  for (int i = 0; i < repeats; ++i) {
    const std::vector<Band> bands = bands_of(c);
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    const Clock::time_point begin = Clock::now();
    const CombinedPlan plan(bands, writers, {topology, extents, 1 << 20, {32 << 20, 0}});
    packed = packed_bytes(plan, c.ranks / 2);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    held = mallinfo2().uordblks + mallinfo2().hblkhd - before;
  }
  std::sort(seconds.begin(), seconds.end());
  const int64_t right = c.variables * c.records * side * side * element_bytes;
  if (packed != right) throw std::runtime_error("a rank packs another number of bytes than it has");
  std::printf("{\"fields\": %lld, \"bands\": %lld, \"ranks\": %d, \"seconds\": %.4f, \"bytes\": %zu}\n",
              static_cast<long long>(c.variables * c.records),
              static_cast<long long>(c.by_record ? c.variables * c.records : c.variables), c.ranks,
              seconds[repeats / 2], held);
}

}  // namespace

int main(int argc, char **argv) {
  try {
    Case c;
    if (argc > 1) c.variables = std::max(1, std::atoi(argv[1]));
    if (argc > 2) c.ranks = std::max(1, std::atoi(argv[2]));
    if (argc > 3) c.writers = std::clamp(std::atoi(argv[3]), 1, c.ranks);
    for (const bool by_record : {false, true})
      for (const int64_t records : {125, 250, 500, 1000}) {
        c.records = records;
        c.by_record = by_record;
        run(c);
      }
  } catch (const std::exception &error) {
    std::fprintf(stderr, "combined_scale: %s\n", error.what());
    return 1;
  }
  return 0;
}
