// Small schedules side by side, carried out in memory for all ranks: each portion comes once, to its writer, next to
// the others; ranks bring their own values in place or in messages; rounds keep to the budget.
#include "packing/side_by_side.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "../plan/random_case.hpp"

namespace sv::test {
namespace {

constexpr std::byte unbrought{0xEE}, hole_value{0xFF};
using Bytes = std::vector<std::byte>;

/// One round. A rank has every so many bytes of each slice, those with its number; the last number has no rank.
class Combed final : public Schedule {
 public:
  Combed(std::vector<int> writers, std::vector<int64_t> lengths, int ranks, bool fills)
      : writers_(std::move(writers)), lengths_(std::move(lengths)), ranks_(ranks), fills_(fills) {}

  int rounds() const override { return 1; }
  int sinks() const override { return static_cast<int>(std::ssize(writers_)); }
  int rank_of(int sink) const override { return writers_[static_cast<size_t>(sink)]; }
  std::vector<int> sinks_of_node(int) const override { return nothing_; }
  int64_t slice_begin(int, int) const override { return 0; }
  int64_t slice_bytes(int sink, int) const override { return lengths_[static_cast<size_t>(sink)]; }
  int64_t bytes_of(int rank, int sink, int) const override {
    int64_t bytes = 0;
    for (int64_t at = rank; at < slice_bytes(sink, 0); at += ranks_ + 1) ++bytes;
    return bytes;
  }
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override {
    for (int64_t at = part.rank; at < slice_bytes(part.sink, 0); at += ranks_ + 1) slice[at] = *message++;
  }
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override {
    for (int64_t at = part.rank; at < slice_bytes(part.sink, 0); at += ranks_ + 1) *message++ = slice[at];
  }
  bool fills() const override { return fills_; }
  void fill(int sink, int, std::byte *slice) const override { std::fill_n(slice, slice_bytes(sink, 0), hole_value); }

 private:
  const std::vector<int> writers_, nothing_;
  const std::vector<int64_t> lengths_;  // of slices
  const int ranks_;
  const bool fills_;
};

std::byte value_at(int schedule, int sink, int64_t at) {
  return static_cast<std::byte>((schedule * 31 + sink * 7 + at) % 200);
}

class CombedSource final : public Source {
 public:
  CombedSource(const Combed &schedule, int number, int rank) : schedule_(schedule), number_(number), rank_(rank) {}
  int64_t put(int sink, int, Form form, std::byte *to) override {
    const int64_t bytes = schedule_.slice_bytes(sink, 0);
    Bytes whole(static_cast<size_t>(bytes)), message(whole.size());
    for (int64_t at = 0; at < bytes; ++at) whole[static_cast<size_t>(at)] = value_at(number_, sink, at);
    schedule_.gather({rank_, sink, 0}, whole.data(), message.data());
    const int64_t mine = schedule_.bytes_of(rank_, sink, 0);
    if (form == Form::compact) std::copy_n(message.begin(), mine, to);
    if (form != Form::compact) schedule_.spread({rank_, sink, 0}, message.data(), to);
    return mine;
  }

 private:
  const Combed &schedule_;
  const int number_, rank_;
};

struct Neighbours {
  Topology topology;
  std::vector<Combed> all;
  Budget budget{};

  std::vector<const Schedule *> schedules() const {
    std::vector<const Schedule *> pointers;
    for (const Combed &each : all) pointers.push_back(&each);
    return pointers;
  }
};

Neighbours random_neighbours(Dice &dice) {
  Neighbours scene;
  const int ranks = static_cast<int>(dice.roll(1, 6));
  scene.topology = Topology::uniform(ranks, static_cast<int>(dice.roll(1, ranks)));
  for (int64_t left = dice.roll(1, 12); left > 0; --left) {
    std::vector<int> writers;
    std::vector<int64_t> lengths;
    for (int64_t sinks = dice.roll(1, 4); sinks > 0; --sinks) {
      writers.push_back(static_cast<int>(dice.roll(0, ranks - 1)));  // one may have several
      lengths.push_back(dice.roll(0, 700));
    }
    scene.all.emplace_back(writers, lengths, ranks, dice.chance(50));
  }
  // Each has room by itself, also with a page for each writer.
  scene.budget = {int64_t{4096} * (ranks + 1), 0};
  scene.budget.slices += dice.pick<int64_t>({0, 4096, 1 << 20});
  if (scene.topology.nodes() > 1) scene.budget.outgoing = scene.budget.slices - dice.pick<int64_t>({0, 1000});
  return scene;
}

/// Each portion once, in order, at its writer.
void check_portions(const Neighbours &scene, const SideBySide &made) {
  std::set<std::pair<int, int>> met;
  int next = 0;
  for (int round = 0; round < made.rounds(); ++round) {
    EXPECT_EQ(made.first(round), next);
    EXPECT_GT(made.last(round), next);
    next = made.last(round);
    for (int sink = 0; sink < made.sinks(); ++sink) {
      int64_t end = 0;
      for (const SideBySide::Portion &each : made.portions(sink, round)) {
        const Combed &of = scene.all[static_cast<size_t>(each.schedule)];
        EXPECT_TRUE(met.insert({each.schedule, each.sink}).second);
        EXPECT_EQ(of.rank_of(each.sink), made.rank_of(sink));
        EXPECT_GE(each.begin_bytes, end);
        EXPECT_TRUE(each.schedule >= made.first(round) && each.schedule < made.last(round));
        end = each.begin_bytes + of.slice_bytes(each.sink, 0);
      }
      EXPECT_LE(end, made.slice_bytes(sink, round));
    }
  }
  EXPECT_EQ(next, std::ssize(scene.all));
  size_t portions = 0;
  for (const Combed &each : scene.all) portions += static_cast<size_t>(each.sinks());
  EXPECT_EQ(met.size(), portions);
}

/// The slices of a node do not overlap, and have room; the sent bytes of a node's ranks have it, too.
void check_budget(const Neighbours &scene, const SideBySide &made) {
  for (int round = 0; round < made.rounds(); ++round) {
    int64_t all = 0;
    for (int node = 0; node < scene.topology.nodes(); ++node) {
      int64_t end = 0;
      for (const int sink : made.sinks_of_node(node)) {
        EXPECT_EQ(scene.topology.node_of[static_cast<size_t>(made.rank_of(sink))], node);
        EXPECT_GE(made.slice_begin(sink, round), end);
        end = made.slice_begin(sink, round) + made.slice_bytes(sink, round);
        all += made.slice_bytes(sink, round);
      }
      EXPECT_LE(end, scene.budget.slices);
    }
    if (scene.budget.outgoing > 0) {
      EXPECT_LE(all, scene.budget.outgoing);
    }
  }
}

/// A slice to which half of the ranks bring their parts in place, the others in messages.
Bytes carried(const Neighbours &scene, const SideBySide &made, int sink, int round) {
  Bytes slice(static_cast<size_t>(made.slice_bytes(sink, round)), unbrought);
  if (made.fills()) made.fill(sink, round, slice.data());
  for (int rank = 0; rank < scene.topology.ranks(); ++rank) {
    std::vector<CombedSource> parts;
    std::vector<Source *> sources;
    for (size_t s = 0; s < scene.all.size(); ++s) parts.emplace_back(scene.all[s], static_cast<int>(s), rank);
    for (CombedSource &each : parts) sources.push_back(&each);
    SideBySideSource source(made, sources);
    const auto mine = static_cast<size_t>(made.bytes_of(rank, sink, round));
    Bytes message(mine, unbrought), back(mine, unbrought);
    EXPECT_EQ(source.put(sink, round, Form::compact, message.data()), std::ssize(message));
    if (rank % 2 == 0) {
      EXPECT_EQ(source.put(sink, round, Form::in_place, slice.data()), std::ssize(message));
    } else {
      made.spread({rank, sink, round}, message.data(), slice.data());
    }
    made.gather({rank, sink, round}, slice.data(), back.data());
    EXPECT_EQ(back, message);
  }
  return slice;
}

void check_values(const Neighbours &scene, const SideBySide &made) {
  const int ranks = scene.topology.ranks();
  for (int round = 0; round < made.rounds(); ++round)
    for (int sink = 0; sink < made.sinks(); ++sink) {
      const Bytes slice = carried(scene, made, sink, round);
      for (const SideBySide::Portion &each : made.portions(sink, round)) {
        const Combed &of = scene.all[static_cast<size_t>(each.schedule)];
        for (int64_t at = 0; at < of.slice_bytes(each.sink, 0); ++at) {
          const bool is_hole = at % (ranks + 1) == ranks;
          const std::byte hole = of.fills() ? hole_value : unbrought;
          ASSERT_EQ(slice[static_cast<size_t>(each.begin_bytes + at)],
                    is_hole ? hole : value_at(each.schedule, each.sink, at));
        }
      }
    }
}

TEST(SideBySide, CarriesWhatTheSchedulesWould) {
  for (int seed = 1; seed <= case_count(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Neighbours scene = random_neighbours(dice);
    const SideBySide made(scene.schedules(), scene.topology, scene.budget);
    check_portions(scene, made);
    check_budget(scene, made);
    check_values(scene, made);
    if (HasFailure()) return;
  }
}

TEST(SideBySide, SharesARoundAsFarAsThereIsRoom) {
  Neighbours scene;
  scene.topology = Topology::uniform(2, 2);
  for (int i = 0; i < 10; ++i) scene.all.emplace_back(std::vector<int>{i % 2}, std::vector<int64_t>{1000}, 2, false);
  scene.budget = {1 << 20, 0};
  EXPECT_EQ(SideBySide(scene.schedules(), scene.topology, scene.budget).rounds(), 1);
  scene.budget.slices = 2 * 4096 + 3 * 1024;  // a page for each writer, and three of them
  EXPECT_EQ(SideBySide(scene.schedules(), scene.topology, scene.budget).rounds(), 4);
}

}  // namespace
}  // namespace sv::test
