#include "transfer/facts.hpp"

#include <cstdlib>

#include "delivery/file_delivery.hpp"
#include "file/home.hpp"

namespace sv {

namespace {

constexpr int64_t most_kept_back_bytes = int64_t{8} << 20;

/// Libraries know the places of variables without records, or are asked for them where these are compressed. For a new
/// record, and for a file that comes to be, the ranks of a team call them together.
bool library_has_one_writer(const File &file, int variable) {
  const Home &home = file.home();
  return variable >= 0 && home.maker.kind().placing == Placing::by_chunk && file.naming.variable_template.empty() &&
         !file.variable(variable).has_records && home.pieces(variable).empty();
}

Facts facts_of(const File &file) {
  const Context &context = file.context();
  Home &home = file.home();
  const Surroundings &surroundings = home.owners.surroundings;
  Facts facts;
  facts.one_rank = context.gate.is_of_one();
  facts.one_node = context.topology().nodes() == 1;
  facts.asynchronous = delivery_of(file).is_asynchronous();
  facts.placed_here = home.places_here();
  facts.has_offsets = home.has_offsets();
  facts.sees_writes = !surroundings.shared_file_system && !surroundings.late;
  return facts;
}

std::optional<Strategy> forced_strategy() {
  static const std::optional<Strategy> forced = [] {
    const char *const name = std::getenv("SV_FORCE_STRATEGY");
    return name == nullptr ? std::nullopt : strategy_of(name);
  }();
  return forced;
}

}  // namespace

Facts writing_facts(const File &file, int variable) {
  Home &home = file.home();
  Facts facts = facts_of(file);
  facts.served = !home.writes_here();
  facts.quick_calls = home.owners.surroundings.calls != CallPrice::call;
  facts.open_route = home.owners.asked.is_open() && home.maker.reported_policy().empty();
  facts.one_writer = facts.placed_here || (!facts.served && library_has_one_writer(file, variable));
  facts.many_kept_back = !facts.placed_here && home.kept_back_bytes > most_kept_back_bytes;
  return facts;
}

Facts reading_facts(const File &file) {
  const Home &home = file.home();
  Facts facts = facts_of(file);
  facts.served = home.readers() == Readers::servers;
  facts.through_owners = home.reads_through_writers();
  facts.automatic_reading = file.settings().reading == Reading::automatic;
  return facts;
}

Strategy writing_strategy(const Facts &facts) { return choose_writing(facts, forced_strategy()).strategy; }
Strategy reading_strategy(const Facts &facts) { return choose_reading(facts, forced_strategy()).strategy; }

void count_writing(const File &file, Strategy strategy) {
  ++file.context().metrics.strategies.writing[static_cast<size_t>(strategy)];
}

void count_reading(const File &file, Strategy strategy) {
  ++file.context().metrics.strategies.reading[static_cast<size_t>(strategy)];
}

}  // namespace sv
