// Seconds computed by hand, and properties on any machine.
#include "prediction/prediction.hpp"

#include <gtest/gtest.h>

#include <random>

#include "prediction/served_clock.hpp"

namespace {

sv::Machine simple_machine() {
  sv::Machine machine;
  machine.cores_per_node = 4;
  machine.pack_bytes_per_second = 1e9;
  machine.memory_bytes_per_second = 10e9;
  machine.message_seconds = 1e-3;
  machine.message_bytes_per_second = 1e9;
  machine.writer_bytes_per_second = 500e6;
  machine.storage_bytes_per_second = 2e9;
  machine.write_seconds = 0.01;
  machine.lock_seconds = 0.1;
  machine.open_seconds = 0.5;
  machine.open_seconds_per_rank = 0.25;
  return machine;
}

// 4 GB of 8 ranks on two nodes, to one writer on each.
sv::PlanCounts simple_counts() {
  sv::PlanCounts counts;
  counts.ranks = 8;
  counts.openers = 2;
  counts.most_ranks_on_node = 4;
  counts.most_placed_bytes = 2'000'000'000;
  counts.most_node_bytes = 1'000'000'000;
  counts.most_node_messages = 100;
  counts.bytes = 4'000'000'000;
  counts.most_writer_bytes = 2'000'000'000;
  counts.most_writes = 50;
  return counts;
}

TEST(Prediction, OfOneRoundIsTheSum) {
  const sv::PhaseSeconds phases = sv::predict(simple_counts(), simple_machine());
  EXPECT_DOUBLE_EQ(phases.open, 0.5 + 0.25 + 3 * 1e-3);
  EXPECT_DOUBLE_EQ(phases.pack, 0.5);
  EXPECT_DOUBLE_EQ(phases.send, 0.1 + 1.0);
  EXPECT_DOUBLE_EQ(phases.write, 4.0 + 0.5);
  EXPECT_DOUBLE_EQ(phases.transfer, 0.5 + 1.1 + 4.5);
  EXPECT_DOUBLE_EQ(phases.close, 0.02 + 3e-3);
  EXPECT_EQ(phases.limit, "one writer");
}

TEST(Prediction, OfManyRoundsHidesTheShorterPart) {
  sv::PlanCounts counts = simple_counts();
  counts.rounds = 10;
  EXPECT_DOUBLE_EQ(sv::predict(counts, simple_machine()).transfer, 0.16 + 0.45 + 9 * 0.45);
}

TEST(Prediction, WaitsForTheBusiestTarget) {
  sv::Machine machine = simple_machine();
  machine.targets = 2;
  machine.target_bytes_per_second = 250e6;
  sv::PlanCounts counts = simple_counts();
  counts.load.targets = {{100, 1e9, 0}, {20, 3e9, 10}};
  counts.load.most_serial_bytes = 1.5e9;
  const sv::PhaseSeconds phases = sv::predict(counts, machine);
  EXPECT_DOUBLE_EQ(phases.write, 20 * 0.01 + 3e9 / 250e6 + 10 * 0.1);
  EXPECT_EQ(phases.limit, "storage");
  counts.load.targets = {{1, 1e9, 0}};  // a writer waits for the parts of its own writes: 1.5e9 / 250e6, and 50 calls
  EXPECT_DOUBLE_EQ(sv::predict(counts, machine).write, 6 + 0.5);
}

TEST(Prediction, AgreementsAndTheOwnPartOfAWriterTakeTime) {
  sv::Machine machine = simple_machine();
  machine.agreement_seconds = 0.1;
  machine.agreement_seconds_per_rank = 0.01;
  EXPECT_DOUBLE_EQ(sv::agreement_seconds(8, machine), 0.17);
  EXPECT_DOUBLE_EQ(sv::agreement_seconds(1, machine), 0);
  sv::PlanCounts counts = simple_counts();
  counts.rounds = 10;
  counts.most_writer_placed_bytes = 500'000'000;
  // As without, but the writer packs its half second between its writes, and a node's four ranks meet in every round.
  EXPECT_DOUBLE_EQ(sv::predict(counts, machine).transfer, 0.16 + 0.45 + 9 * 0.5 + 10 * 0.13);
}

TEST(Prediction, RanksThatShareACoreTakeTurns) {
  sv::PlanCounts counts = simple_counts();
  counts.most_node_writes = 800;  // of four cores: 200 each, where one writer has 50
  EXPECT_DOUBLE_EQ(sv::predict(counts, simple_machine()).write, 4.0 + 2.0);
}

// Eight ranks on two cores compress for 0.16 s of both in each of ten rounds, and write for 0.1 s, one at a time: each
// rank 0.04 and 0.0125 s.
TEST(Prediction, RanksThatShareACoreWriteWhileOthersCompress) {
  sv::Machine machine = simple_machine();
  machine.cores_per_node = 2;
  machine.write_seconds = machine.lock_seconds = machine.message_seconds = 0;
  machine.storage_bytes_per_second = machine.writer_bytes_per_second = 1e9;
  machine.compress_bytes_per_second = 0.5e9;
  machine.compress_ratio = 0.625;
  sv::PlanCounts counts;
  counts.ranks = counts.openers = counts.most_ranks_on_node = 8;
  counts.rounds = 10;
  counts.bytes = counts.most_node_compressed_bytes = 1'600'000'000;
  counts.most_compressed_bytes = counts.most_writer_bytes = 200'000'000;
  const auto seconds = [&](double turn) {
    machine.core_turn_seconds = turn;
    const sv::PhaseSeconds phases = sv::predict(counts, machine);
    EXPECT_DOUBLE_EQ(phases.compress, 1.6);
    EXPECT_DOUBLE_EQ(phases.write, 1.0);
    EXPECT_NEAR(phases.behind, 2 * (0.26 - phases.transfer / 10), 1e-12);
    return phases.transfer / 10;
  };
  // The first two have done at 0.04 s, the last two at 0.16 s, and write 0.0125 s each.
  EXPECT_NEAR(seconds(0), 0.16 + 0.0125, 1e-12);
  EXPECT_NEAR(seconds(0.04), 0.16 + 0.0125, 1e-12);
  // In turns of 0.03 s, three others have one before the first has done at 0.13 s; in short ones, all have done at
  // once.
  EXPECT_NEAR(seconds(0.03), 0.04 + 3 * 0.03 + 0.1, 1e-12);
  EXPECT_NEAR(seconds(1e-6), 0.26, 1e-5);
}

TEST(Prediction, PutsAndStagesTakeTime) {
  sv::Machine machine = simple_machine();
  machine.agreement_seconds = 0.1;
  EXPECT_DOUBLE_EQ(sv::put_seconds(4, machine), 0.2);
  sv::PlanCounts counts = simple_counts();
  const double alone = sv::predict(counts, simple_machine()).transfer;
  counts.stages = 2;
  EXPECT_DOUBLE_EQ(sv::predict(counts, machine).transfer, alone + 2 * 0.1);
  machine.put_seconds = 0.5;
  machine.put_seconds_per_rank = 0.25;
  EXPECT_DOUBLE_EQ(sv::put_seconds(1, machine), 0.5);
  EXPECT_DOUBLE_EQ(sv::put_seconds(4, machine), 1.25);
  EXPECT_DOUBLE_EQ(sv::predict(counts, machine).transfer, alone + 0.1);  // the first is part of a put's time
}

TEST(Prediction, NamesWhatLimits) {
  sv::PlanCounts counts = simple_counts();
  sv::Machine machine = simple_machine();
  machine.storage_bytes_per_second = 0.5e9;
  EXPECT_EQ(sv::predict(counts, machine).limit, "storage");
  EXPECT_DOUBLE_EQ(sv::predict(counts, machine).write, 8.0);
  counts.load.hand_overs = 100;
  EXPECT_EQ(sv::predict(counts, machine).limit, "locks");
  counts.load.hand_overs = 0;
  counts.most_writes = 100'000;
  EXPECT_EQ(sv::predict(counts, machine).limit, "write calls");
  counts.most_node_messages = 10'000'000;
  EXPECT_EQ(sv::predict(counts, machine).limit, "messages");
  machine.pack_bytes_per_second = 1;
  EXPECT_EQ(sv::predict(counts, machine).limit, "packing");
}

TEST(Prediction, TakesTheBurstIntoAccount) {
  sv::Machine machine = simple_machine();
  machine.writer_bytes_per_second = 1e12;
  machine.write_seconds = 0;
  machine.burst_bytes = 6e9;
  machine.sustained_bytes_per_second = 1e9;
  EXPECT_DOUBLE_EQ(sv::predict(simple_counts(), machine).write, 2.0);
  EXPECT_DOUBLE_EQ(sv::predict(simple_counts(), machine, 4'000'000'000).write, 1.0 + 2.0);
  EXPECT_DOUBLE_EQ(sv::predict(simple_counts(), machine, 8'000'000'000).write, 4.0);
}

// pack 0.5, drain 5.6.
TEST(Prediction, OfServersIsTheLongerOfBothSides) {
  const sv::PlanCounts counts = simple_counts();
  const sv::Machine machine = simple_machine();
  const double open = 0.753, close = 0.023;
  const int64_t whole = counts.most_placed_bytes;
  const sv::ServedSeconds slow = sv::predict_served(counts, machine, {3, 10.0, whole, whole});
  EXPECT_DOUBLE_EQ(slow.room, 1);
  EXPECT_NEAR(slow.waiting, 0, 1e-12);
  EXPECT_NEAR(slow.model, open + 3 * 10.5, 1e-9);
  EXPECT_NEAR(slow.total, open + 3 * 10.5 + 5.6 + close, 1e-9);
  // The first is drained from 1.5 to 7.1; the second, computed at 2.5, has found room for all of it then, and so on.
  const sv::ServedSeconds one = sv::predict_served(counts, machine, {3, 1.0, whole, whole});
  EXPECT_NEAR(one.waiting, (7.1 - 3.0) + (12.7 - 8.6), 1e-9);
  EXPECT_NEAR(one.model, open + 12.7, 1e-9);
  EXPECT_NEAR(one.total, open + 12.7 + 5.6 + close, 1e-9);
  // With room for all, the model goes on, and the servers never rest.
  const sv::ServedSeconds all = sv::predict_served(counts, machine, {3, 1.0, 3 * whole, whole});
  EXPECT_NEAR(all.waiting, 0, 1e-12);
  EXPECT_NEAR(all.model, open + 4.5, 1e-9);
  EXPECT_NEAR(all.total, open + 1.5 + 3 * 5.6 + close, 1e-9);
  // With room for half of a step, half is written before it is handed over.
  const sv::ServedSeconds half = sv::predict_served(counts, machine, {1, 1.0, whole / 2, whole});
  EXPECT_DOUBLE_EQ(half.room, 0.5);
  EXPECT_NEAR(half.model, open + 1.5 + 2.8, 1e-9);
  EXPECT_NEAR(half.total, open + 1.5 + 5.6 + close, 1e-9);
}

// Unequal hand-overs behind one another, in slots of 10 bytes.
TEST(Prediction, TheClockOfServersHasAllFiles) {
  sv::PhaseSeconds small, large;
  small.pack = 1;
  small.write = 4;
  large.pack = 2;
  large.send = 1;
  large.write = 9;
  sv::ServedClock clock(10);
  clock.pass(5);
  clock.hand_over(small, 1, 4);  // packed at 6, written from 6 to 10
  EXPECT_DOUBLE_EQ(clock.model(), 6);
  clock.close(2);                 // until 12
  clock.hand_over(large, 2, 10);  // packed at 8, written from 12 to 22: room for it when the first is written
  EXPECT_DOUBLE_EQ(clock.model(), 10);
  EXPECT_DOUBLE_EQ(clock.waiting(), 2);
  clock.hand_over(small, 1, 4);  // packed at 11; room when 8 bytes are written, 4 of the large one's 10
  EXPECT_DOUBLE_EQ(clock.model(), 16);
  EXPECT_DOUBLE_EQ(clock.waiting(), 7);
  EXPECT_DOUBLE_EQ(clock.written(), 26);
  clock.pass(20);
  clock.hand_over(small, 4, 4);  // an idle server begins with the first of the rounds
  EXPECT_DOUBLE_EQ(clock.model(), 37);
  EXPECT_DOUBLE_EQ(clock.written(), 36.25 + 4);
}

TEST(Prediction, NeverGetsWorseOnABetterMachine) {
  std::mt19937 random(9);
  const auto any = [&](double least, double most) { return std::uniform_real_distribution<>(least, most)(random); };
  for (int round = 0; round < 2000; ++round) {
    sv::Machine machine = simple_machine();
    for (double *rate :
         {&machine.pack_bytes_per_second, &machine.memory_bytes_per_second, &machine.message_bytes_per_second,
          &machine.writer_bytes_per_second, &machine.storage_bytes_per_second, &machine.sustained_bytes_per_second})
      *rate = any(1e8, 1e10);
    machine.burst_bytes = any(0, 2e10);
    sv::PlanCounts counts = simple_counts();
    counts.rounds = 1 + round % 50;
    const sv::ServedRun run{1 + round % 7, any(0, 5), static_cast<int64_t>(any(1e8, 1e10)), 2'000'000'000};
    const sv::PhaseSeconds before = sv::predict(counts, machine);
    const sv::ServedSeconds served = sv::predict_served(counts, machine, run);
    EXPECT_GE(before.transfer, std::max(before.write, before.pack + before.send) - 1e-9);
    EXPECT_LE(before.transfer, before.write + before.pack + before.send + 1e-9);
    EXPECT_GE(served.total, run.steps * run.compute_seconds);
    EXPECT_GE(served.total * machine.writer_bytes_per_second,
              static_cast<double>(run.steps * counts.most_writer_bytes));
    sv::Machine better = machine;
    switch (round % 6) {
      case 0:
        better.pack_bytes_per_second *= 2;
        break;
      case 1:
        better.message_bytes_per_second *= 2;
        break;
      case 2:
        better.writer_bytes_per_second *= 2;
        break;
      case 3:
        better.storage_bytes_per_second *= 2;
        break;
      case 4:
        better.sustained_bytes_per_second *= 2;
        break;
      default:
        better.write_seconds /= 2;
        break;
    }
    EXPECT_LE(sv::predict(counts, better).total(), before.total() + 1e-9);
    EXPECT_LE(sv::predict_served(counts, better, run).total, served.total + 1e-9);
    sv::ServedRun roomier = run;
    roomier.buffer_bytes *= 2;
    EXPECT_LE(sv::predict_served(counts, machine, roomier).model, served.model + 1e-9) << round;
  }
}

}  // namespace
