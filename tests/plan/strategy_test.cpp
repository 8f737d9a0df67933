// Which strategy is chosen for a put or get: a table of facts and choices, and properties of all facts.
#include "strategy/strategy.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sv {
namespace {

/// A field of 1 MB in a CDF file on a local disk, which 16 ranks of a node write by `auto`.
Facts field() {
  Facts facts;
  facts.one_node = facts.placed_here = facts.has_offsets = facts.sees_writes = true;
  facts.quick_calls = facts.open_route = facts.one_writer = true;
  facts.bytes = 1 << 20;
  return facts;
}

struct Case {
  const char *name;
  Strategy expected;
  void (*change)(Facts &);
};

void check(const std::vector<Case> &cases, StrategyChoice (*choose)(const Facts &, std::optional<Strategy>)) {
  for (const Case &each : cases) {
    Facts facts = field();
    each.change(facts);
    const StrategyChoice choice = choose(facts, std::nullopt);
    EXPECT_EQ(name_of(choice.strategy), name_of(each.expected)) << each.name;
    EXPECT_FALSE(choice.reason.empty()) << each.name;
  }
}

using Form = Facts::Form;

TEST(Strategy, OfAPut) {
  check({{"a field of many ranks", Strategy::two_phase, [](Facts &) {}},
         {"servers", Strategy::servers, [](Facts &f) { f.served = true, f.placed_here = false; }},
         {"a list that servers write", Strategy::servers, [](Facts &f) { f.served = true, f.form = Form::list; }},
         {"a list in a library's file", Strategy::field_by_field,
          [](Facts &f) { f.form = Form::list, f.has_offsets = f.placed_here = false; }},
         {"a list", Strategy::two_phase, [](Facts &f) { f.form = Form::list; }},
         {"a small field of one rank", Strategy::independent,
          [](Facts &f) { f.one_rank = f.one_block = true, f.bytes = 1000; }},
         {"the same, of which holes are filled", Strategy::two_phase,
          [](Facts &f) { f.one_rank = f.one_block = f.one_writer = true, f.bytes = 1000, f.fills = true; }},
         {"the same, written by a thread", Strategy::two_phase,
          [](Facts &f) { f.one_rank = f.one_block = f.asynchronous = true, f.bytes = 1000; }},
         {"a large field of one rank", Strategy::own_stretches,
          [](Facts &f) { f.long_stretches = f.one_rank = f.one_block = true; }},
         {"long stretches of many ranks", Strategy::own_stretches, [](Facts &f) { f.long_stretches = true; }},
         {"the same in two rounds of one node", Strategy::two_phase,
          [](Facts &f) { f.long_stretches = true, f.rounds = 2; }},
         {"the same in two rounds of two nodes", Strategy::own_stretches,
          [](Facts &f) { f.long_stretches = true, f.rounds = 2, f.one_node = false; }},
         {"the same where calls are slow", Strategy::in_gate,
          [](Facts &f) { f.long_stretches = f.fits_gate = true, f.quick_calls = false; }},
         {"the same where a route was asked for", Strategy::two_phase,
          [](Facts &f) { f.long_stretches = true, f.open_route = false; }},
         {"the same on a file system that is seen late", Strategy::two_phase,
          [](Facts &f) { f.long_stretches = true, f.sees_writes = false; }},
         {"little data of many ranks", Strategy::in_gate, [](Facts &f) { f.fits_gate = true; }},
         {"the same while a library keeps much back", Strategy::two_phase,
          [](Facts &f) { f.fits_gate = f.many_kept_back = true; }},
         {"the same in two stages", Strategy::two_phase, [](Facts &f) { f.fits_gate = true, f.stages = 2; }},
         {"one of a list", Strategy::two_phase, [](Facts &f) { f.fits_gate = f.long_stretches = f.of_list = true; }},
         {"points", Strategy::two_phase, [](Facts &f) { f.fits_gate = f.points = true; }},
         {"points that each rank writes", Strategy::own_points, [](Facts &f) { f.points = f.own_route = true; }},
         {"an array that all ranks have", Strategy::own_ranges, [](Facts &f) { f.form = Form::replicated; }},
         {"the same, of one owner", Strategy::in_gate, [](Facts &f) { f.form = Form::replicated, f.fits_gate = true; }},
         {"the same, written by threads", Strategy::two_phase,
          [](Facts &f) { f.form = Form::replicated, f.fits_gate = f.asynchronous = true; }}},
        choose_writing);
}

TEST(Strategy, OfAGet) {
  check({{"each rank reads", Strategy::independent, [](Facts &) {}},
         {"servers", Strategy::servers, [](Facts &f) { f.served = true; }},
         {"owners read", Strategy::two_phase, [](Facts &f) { f.through_owners = true; }},
         {"long stretches", Strategy::own_stretches, [](Facts &f) { f.long_stretches = f.through_owners = true; }},
         {"the same where owners were asked for", Strategy::two_phase,
          [](Facts &f) { f.long_stretches = f.through_owners = true, f.automatic_reading = false; }},
         {"points", Strategy::two_phase, [](Facts &f) { f.points = true; }},
         {"a list in a library's file", Strategy::field_by_field,
          [](Facts &f) { f.form = Form::list, f.has_offsets = f.placed_here = false; }},
         {"a small list of one rank", Strategy::independent,
          [](Facts &f) { f.form = Form::list, f.one_rank = f.one_block = true, f.bytes = 8; }}},
        choose_reading);
}

TEST(Strategy, IsTakenWhereItIsForcedAndPossible) {
  EXPECT_EQ(choose_writing(field(), Strategy::own_stretches).strategy, Strategy::own_stretches);
  EXPECT_EQ(choose_writing(field(), Strategy::servers).strategy, Strategy::two_phase);
  EXPECT_EQ(choose_writing(field(), Strategy::own_points).strategy, Strategy::two_phase);
}

TEST(Strategy, HasANameOfItsOwn) {
  for (int s = 0; s < strategies; ++s)
    EXPECT_EQ(strategy_of(name_of(static_cast<Strategy>(s))), static_cast<Strategy>(s));
  EXPECT_FALSE(strategy_of("none"));
}

/// Facts that no list of cases would think of.
Facts random_facts(std::mt19937 &random) {
  const auto coin = [&random] { return std::bernoulli_distribution()(random); };
  Facts facts;
  facts.form = static_cast<Form>(random() % 3);
  for (bool *each : {&facts.one_rank, &facts.one_node, &facts.served, &facts.asynchronous, &facts.placed_here,
                     &facts.has_offsets, &facts.sees_writes, &facts.quick_calls, &facts.open_route, &facts.one_writer,
                     &facts.many_kept_back, &facts.automatic_reading, &facts.through_owners, &facts.points,
                     &facts.own_route, &facts.of_list, &facts.in_set, &facts.one_block})
    *each = coin();
  facts.bytes = coin() ? 100 : 1 << 20;
  facts.stages = coin() ? 1 : 2;
  facts.rounds = coin() ? 1 : 3;
  facts.fills = coin();
  facts.long_stretches = coin();
  facts.fits_gate = coin();
  return facts;
}

TEST(Strategy, IsAlwaysPossible) {
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    const Facts facts = random_facts(random);
    const Strategy put = choose_writing(facts).strategy, get = choose_reading(facts).strategy;
    ASSERT_TRUE(can_write(put, facts));
    ASSERT_TRUE(can_read(get, facts));
    // Threads and servers write after the call: no other rank may write meanwhile.
    ASSERT_EQ(put == Strategy::servers, facts.served);
    const bool is_at_once = put == Strategy::independent || put == Strategy::own_stretches || put == Strategy::in_gate;
    ASSERT_FALSE(facts.asynchronous && (is_at_once || put == Strategy::own_ranges));
    ASSERT_FALSE(is_at_once && facts.form != Form::replicated && facts.fills());
  }
}

}  // namespace
}  // namespace sv
