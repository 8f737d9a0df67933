// Times the plan of the 0.1° grid (3600 x 2700 x 50 doubles; Yang et al. 2020) on very many virtual ranks, as JSON:
//
//   plan_scale [px py [ranks_per_node [ROUTE [WRITERS]]]]        by default 400 250 24 auto auto: 100,000 ranks
//
// one_rank_seconds: make_plan and the data that this rank sends to every writer in every round, given the layout; the
// median over some ranks. all_ranks_seconds: the layout, the plan and the traffic of all ranks. layout_bytes,
// topology_bytes, plan_bytes: the memory of each rank for these in a run.
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string>

#include "plan/plan.hpp"
#include "prediction/traffic.hpp"

namespace {

using namespace sv;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Of this process, as malloc counts them.
int64_t held_bytes() {
  const struct mallinfo2 counts = mallinfo2();
  return static_cast<int64_t>(counts.uordblks + counts.hblkhd);
}

/// A header of a page, then the field.
class OneField final : public ExtentMap {
 public:
  explicit OneField(const Field &field)
      : begin_(field.offset_bytes), end_(begin_ + field.shape.product() * field.element_bytes) {}
  Extent covering(int64_t offset_bytes) const override {
    return offset_bytes < begin_ ? Extent{0, begin_} : Extent{begin_, end_};
  }

 private:
  int64_t begin_, end_;
};

struct Options {
  int px = 400, py = 250, per_node = 24;
  RouteRequest request;
};

Options parse(int argc, char **argv) {
  Options options;
  if (argc > 2) {
    options.px = std::atoi(argv[1]);
    options.py = std::atoi(argv[2]);
  }
  if (argc > 3) options.per_node = std::atoi(argv[3]);
  if (argc > 4) options.request.name = argv[4];
  if (argc > 5) options.request.writers = parse_writers(argv[5]);
  return options;
}

/// The elements a rank sends, over all rounds and the sinks to which it may send.
int64_t elements_of(const Plan &plan, int rank) {
  const Stage &stage = plan.stages.front();
  std::vector<int> sinks(plan.at_home ? 0 : stage.sinks.size());
  std::iota(sinks.begin(), sinks.end(), 0);
  if (plan.at_home) sinks = stage.sinks.of_rank(rank);
  int64_t total = 0;
  for (const Patch &patch : stage.sources->patches_of_rank(rank)) {
    for (const int sink : sinks) {
      for (int round = 0; round < plan.rounds; ++round) total += plan.elements(0, patch.box, sink, round);
    }
  }
  return total;
}

struct Sum {
  int64_t placed_bytes = 0, messages = 0, sent_bytes = 0, written_bytes = 0, writes = 0, most_messages = 0;
};

Sum sum_of(const std::vector<Traffic> &all) {
  Sum sum;
  for (const Traffic &rank : all) {
    sum.placed_bytes += rank.placed_bytes;
    sum.messages += rank.messages_sent;
    sum.sent_bytes += rank.sent_bytes;
    sum.written_bytes += rank.written_bytes;
    sum.writes += rank.writes;
    sum.most_messages = std::max(sum.most_messages, rank.messages_sent + rank.messages_received);
  }
  return sum;
}

int run(const Options &options) {
  constexpr int64_t nx = 3600, ny = 2700, nz = 50, window_bytes = 32 << 20;
  Surroundings surroundings;
  surroundings.shared_file_system = true;
  surroundings.stripe_count = 40;
  const Field field{{nz, ny, nx}, 1, 8, 4096};
  const OneField extents(field);
  const Budget budget{window_bytes / 3, window_bytes / 3};  // of the default window

  const Clock::time_point begin = Clock::now();
  const int64_t at_first = held_bytes();
  const auto layout = block_layout(nx, ny, options.px, options.py);
  const int64_t with_layout = held_bytes();
  const Topology topology = Topology::uniform(layout->ranks(), options.per_node);
  const int64_t with_topology = held_bytes();
  const Route route = resolve(options.request, *layout, topology, surroundings);
  const auto plan_now = [&] {
    return make_plan(layout, field, route, {topology, extents, surroundings.stripe_bytes, budget});
  };
  const int64_t before_plan = held_bytes();
  const Plan plan = plan_now();
  const int64_t plan_bytes = held_bytes() - before_plan;
  const Sum sum = sum_of(traffic_of_all(plan, topology));
  const double all_seconds = seconds_since(begin);

  std::vector<double> one;
  for (int i = 0; i < 21; ++i) {
    const int rank = static_cast<int>(static_cast<int64_t>(i) * (layout->ranks() - 1) / 20);
    const Clock::time_point start = Clock::now();
    const int64_t elements = elements_of(plan_now(), rank);
    one.push_back(seconds_since(start));
    if (elements != layout->cells_of_rank(rank) * nz) {
      std::fprintf(stderr, "rank %d: %lld elements planned\n", rank, static_cast<long long>(elements));
      return 1;
    }
  }
  std::sort(one.begin(), one.end());
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 1;
  std::printf(
      "{\"ranks\": %d, \"nodes\": %d, \"route\": \"%s\", \"writers\": %zu, \"stages\": %zu, \"rounds\": %d,\n"
      " \"one_rank_seconds\": %.6f, \"all_ranks_seconds\": %.3f, \"peak_rss_mib\": %ld,\n"
      " \"layout_bytes\": %lld, \"topology_bytes\": %lld, \"plan_bytes\": %lld,\n"
      " \"placed_bytes\": %lld, \"messages\": %lld, \"sent_bytes\": %lld, \"written_bytes\": %lld, \"writes\": %lld,\n"
      " \"most_messages_of_a_rank\": %lld, \"reason\": \"%s\"}\n",
      layout->ranks(), topology.nodes(), route.name.c_str(), route.writers.size(), plan.stages.size(), plan.rounds,
      one[one.size() / 2], all_seconds, usage.ru_maxrss / 1024, static_cast<long long>(with_layout - at_first),
      static_cast<long long>(with_topology - with_layout), static_cast<long long>(plan_bytes),
      static_cast<long long>(sum.placed_bytes), static_cast<long long>(sum.messages),
      static_cast<long long>(sum.sent_bytes), static_cast<long long>(sum.written_bytes),
      static_cast<long long>(sum.writes), static_cast<long long>(sum.most_messages), route.reason.c_str());
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return run(parse(argc, argv));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "plan_scale: %s\n", error.what());
    return 1;
  }
}
