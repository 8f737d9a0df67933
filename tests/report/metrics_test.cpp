#include "report/metrics.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace sv {
namespace {

constexpr auto nap = std::chrono::milliseconds(20);
constexpr double nap_seconds = 0.02;

double seconds(const Metrics &metrics, Phase phase) { return metrics.seconds[static_cast<size_t>(phase)]; }

Metrics counted(int64_t base) {
  Metrics metrics;
  for (size_t phase = 0; phase < phases; ++phase) metrics.seconds[phase] = 0.1 * static_cast<double>(base + phase);
  metrics.total_seconds = static_cast<double>(base);
  metrics.written_bytes = base + (int64_t{1} << 50);
  metrics.read_bytes = base + 1;
  metrics.writes = base + 2;
  metrics.reads = base + 3;
  metrics.placed_bytes = base + 4;
  metrics.messages = base + 5;
  metrics.message_bytes = base + 6;
  metrics.out_of_range = base + 7;
  return metrics;
}

void expect_equal(const Metrics &a, const Metrics &b) {
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.total_seconds, b.total_seconds);
  EXPECT_EQ(a.written_bytes, b.written_bytes);
  EXPECT_EQ(a.read_bytes, b.read_bytes);
  EXPECT_EQ(a.writes, b.writes);
  EXPECT_EQ(a.reads, b.reads);
  EXPECT_EQ(a.placed_bytes, b.placed_bytes);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_EQ(a.message_bytes, b.message_bytes);
  EXPECT_EQ(a.out_of_range, b.out_of_range);
}

TEST(PhaseTimer, AddsItsLife) {
  Metrics metrics;
  for (int i = 0; i < 2; ++i) {
    PhaseTimer timer(metrics, Phase::write);
    std::this_thread::sleep_for(nap);
  }
  EXPECT_GE(seconds(metrics, Phase::write), 2 * nap_seconds);
  EXPECT_EQ(seconds(metrics, Phase::close), 0);
}

TEST(PhaseTimer, OnlyTheOutermostCounts) {
  Metrics metrics;
  {
    PhaseTimer close(metrics, Phase::close);
    {
      PhaseTimer write(metrics, Phase::write);
      PhaseTimer again(metrics, Phase::close);
      std::this_thread::sleep_for(nap);
    }
    EXPECT_EQ(seconds(metrics, Phase::close), 0);
  }
  EXPECT_EQ(seconds(metrics, Phase::write), 0);
  EXPECT_GE(seconds(metrics, Phase::close), nap_seconds);
}

TEST(PhaseTimer, EndsWithAnException) {
  Metrics metrics;
  try {
    PhaseTimer timer(metrics, Phase::read);
    throw std::runtime_error("x");
  } catch (const std::runtime_error &) {
  }
  EXPECT_EQ(metrics.running_timers, 0);
  EXPECT_GT(seconds(metrics, Phase::read), 0);
}

TEST(Numbers, RoundTripForManyRanks) {
  std::vector<double> numbers;
  for (int rank = 0; rank < 5; ++rank) {
    const std::vector<double> mine = to_numbers(counted(rank));
    expect_equal(from_numbers(mine), counted(rank));
    numbers.insert(numbers.end(), mine.begin(), mine.end());
  }
  const std::vector<Metrics> all = all_from_numbers(numbers);
  ASSERT_EQ(all.size(), 5U);
  for (int rank = 0; rank < 5; ++rank) expect_equal(all[static_cast<size_t>(rank)], counted(rank));
  EXPECT_TRUE(all_from_numbers({}).empty());
}

TEST(Numbers, OfAnotherLengthAreRefused) {
  std::vector<double> numbers = to_numbers(Metrics{});
  numbers.push_back(0);
  EXPECT_THROW(from_numbers(numbers), std::invalid_argument);
  EXPECT_THROW(all_from_numbers(numbers), std::invalid_argument);
}

TEST(Spread, IsMaximumAndMeanOverRanks) {
  std::vector<Metrics> ranks(4);
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    ranks[rank].seconds[static_cast<size_t>(Phase::open)] = rank == 2 ? 5 : 1;
    ranks[rank].total_seconds = 7;
    ranks[rank].writes = 3;
  }
  EXPECT_EQ(spread_of(Phase::open, ranks).max, 5);
  EXPECT_EQ(spread_of(Phase::open, ranks).mean, 2);
  EXPECT_EQ(spread_of(Phase::open, ranks).max_rank, 2);
  EXPECT_EQ(spread_of_total(ranks).max, 7);
  EXPECT_EQ(spread_of_total(ranks).max_rank, 0);
  EXPECT_EQ(sum_of(&Metrics::writes, ranks), 12);
  EXPECT_EQ(spread_of(Phase::open, {}).mean, 0);
}

}  // namespace
}  // namespace sv
