#include "strategy/strategy.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace sv {

namespace {

using Form = Facts::Form;

/// One strategy: whether it is possible, whether it is worthwhile there, and its reason in words. The first rule that
/// holds wins. A column without a function always holds.
struct Rule {
  Strategy strategy;
  bool (*possible)(const Facts &);
  bool (*worth)(const Facts &);
  std::string_view reason;

  bool can(const Facts &facts) const { return possible == nullptr || possible(facts); }
  bool holds(const Facts &facts) const { return can(facts) && (worth == nullptr || worth(facts)); }
};

/// Our ranks write the file, within their calls.
bool is_written_now(const Facts &f) { return !f.served && !f.asynchronous; }

/// Every rank reaches every place of the file by itself, and sees there what others have written.
bool reaches_places(const Facts &f) {
  return f.placed_here && f.has_offsets && f.sees_writes && is_written_now(f) && !f.points;
}

/// One exchange brings all values, nothing is filled, and the call agrees on this alone.
bool is_simple(const Facts &f) { return f.stages == 1 && !f.points && !f.of_list && !f.fills(); }

/// Of several rounds, the ranks of a node pack one while another is written; ranks of several nodes would have to send
/// them, and one rank alone would write all.
bool gains_by_own_writing(const Facts &f) { return f.rounds <= 1 || !f.one_node || f.one_rank; }

constexpr std::array writing_rules{
    Rule{Strategy::servers, [](const Facts &f) { return f.served; }, nullptr, "servers write the file"},
    Rule{Strategy::independent,
         [](const Facts &f) {
           return f.one_rank && f.placed_here && is_written_now(f) && is_simple(f) && !f.in_set && f.one_block &&
                  f.form != Form::replicated;
         },
         [](const Facts &f) { return f.bytes < long_stretch_bytes; }, "one rank writes little data"},
    Rule{Strategy::field_by_field, [](const Facts &f) { return f.form == Form::list && !f.has_offsets; }, nullptr,
         "a library or a set of files places each field"},
    Rule{Strategy::own_stretches,
         [](const Facts &f) {
           return reaches_places(f) && is_simple(f) && f.form != Form::replicated &&
                  (f.form == Form::field || f.long_stretches());
         },
         [](const Facts &f) { return f.open_route && f.quick_calls && gains_by_own_writing(f) && f.long_stretches(); },
         "each rank has long stretches of the file, and calls of the system are quick"},
    Rule{Strategy::in_gate,
         [](const Facts &f) { return f.one_writer && is_written_now(f) && is_simple(f) && f.fits_gate(); },
         [](const Facts &f) { return !f.many_kept_back; }, "one rank writes all of it, and it fits one round"},
    Rule{Strategy::own_ranges, [](const Facts &f) { return f.form == Form::replicated && is_written_now(f); }, nullptr,
         "every rank has all values"},
    Rule{Strategy::own_points, [](const Facts &f) { return f.points && f.own_route && !f.served; }, nullptr,
         "the route lets each rank write its own points"},
    Rule{Strategy::two_phase, [](const Facts &f) { return !f.served && (f.form != Form::list || f.has_offsets); },
         nullptr, "ranks exchange values with the writers in rounds"}};

/// Of both rules for it: the summary gives one reason for a strategy.
constexpr std::string_view each_reads = "each rank reads its own part";

constexpr std::array reading_rules{
    Rule{Strategy::servers, [](const Facts &f) { return f.served; }, nullptr, "servers read the file"},
    Rule{Strategy::independent,
         [](const Facts &f) { return f.one_rank && f.placed_here && is_written_now(f) && f.one_block; },
         [](const Facts &f) { return f.bytes < long_stretch_bytes; }, each_reads},
    Rule{Strategy::field_by_field, [](const Facts &f) { return f.form == Form::list && !f.has_offsets; }, nullptr,
         "a library or a set of files places each field"},
    Rule{Strategy::own_stretches,
         [](const Facts &f) { return f.form == Form::field && reaches_places(f) && f.through_owners; },
         [](const Facts &f) { return f.automatic_reading && f.long_stretches(); },
         "each rank has long stretches of the file"},
    Rule{Strategy::two_phase, [](const Facts &f) { return f.points || f.through_owners; }, nullptr,
         "owners of ranges read for all ranks"},
    Rule{Strategy::independent, nullptr, nullptr, each_reads}};

StrategyChoice first_of(std::span<const Rule> rules, const Facts &facts, std::optional<Strategy> forced) {
  if (forced)
    for (const Rule &rule : rules)
      if (rule.strategy == *forced && rule.can(facts)) return {rule.strategy, "it was forced"};
  const auto found = std::ranges::find_if(rules, [&](const Rule &rule) { return rule.holds(facts); });
  return {found->strategy, found->reason};
}

std::string_view reason_in(std::span<const Rule> rules, Strategy strategy) {
  const auto found = std::ranges::find(rules, strategy, &Rule::strategy);
  return found == rules.end() ? "" : found->reason;
}

bool can(std::span<const Rule> rules, Strategy strategy, const Facts &facts) {
  return std::ranges::any_of(rules, [&](const Rule &rule) { return rule.strategy == strategy && rule.can(facts); });
}

constexpr std::array<std::string_view, strategies> names{"servers", "field_by_field", "independent", "own_stretches",
                                                         "in_gate", "own_ranges",     "own_points",  "two_phase"};

}  // namespace

std::string_view name_of(Strategy strategy) { return names[static_cast<size_t>(strategy)]; }

std::optional<Strategy> strategy_of(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Strategy>(found - names.begin());
}

StrategyChoice choose_writing(const Facts &facts, std::optional<Strategy> forced) {
  return first_of(writing_rules, facts, forced);
}
StrategyChoice choose_reading(const Facts &facts, std::optional<Strategy> forced) {
  return first_of(reading_rules, facts, forced);
}

bool can_write(Strategy strategy, const Facts &facts) { return can(writing_rules, strategy, facts); }
bool can_read(Strategy strategy, const Facts &facts) { return can(reading_rules, strategy, facts); }

std::string_view reason_of_writing(Strategy strategy) { return reason_in(writing_rules, strategy); }
std::string_view reason_of_reading(Strategy strategy) { return reason_in(reading_rules, strategy); }

bool waits_for_step(const Facts &f) {
  return !f.served && !(f.one_rank && f.placed_here && is_written_now(f) && !f.in_set);
}

}  // namespace sv
