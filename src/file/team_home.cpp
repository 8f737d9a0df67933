#include "file/team_home.hpp"

#include <algorithm>

#include "file/divided.hpp"
#include "file/file.hpp"

namespace sv {

TeamHome::TeamHome(File &file, StoreMaker store_maker) : Home(file, std::move(store_maker)) {
  owners.only_these = true;
  if (file.mode != Mode::define) return;
  // Where the user leaves the choice, all would wait for one writer that compresses alone.
  if (!owners.asked.is_open() || maker.kind().placing != Placing::in_chunks || !file.settings().chunks.compresses())
    return;
  size_t most = 4;
  for (const std::vector<int> &ranks : context_.topology().ranks_of) most = std::min(most, ranks.size());
  owners.asked = {"ranges", 0, 0, {Writers::Kind::per_node, static_cast<int>(most)}};
  shares_compression_ = true;
}

/// Chunks have owners, also if blocks should be written by theirs; and if chunks are compressed and no number is set,
/// all ranks own some.
void TeamHome::choose_compressors(bool compresses) {
  const bool has_owners = owners.asked.ranges().has_value();
  if (has_owners && (!owners.asked.is_open() || !compresses)) return;
  owners.asked = {"ranges", 0, 0, {Writers::Kind::count, context_.comm.size()}};
  shares_compression_ = has_owners;
}

namespace {

/// How many numbers describe how a variable is stored.
size_t numbers_of(const Variable &variable) { return 2 + 2 * variable.dims.size(); }

void add_numbers(std::vector<int64_t> &numbers, const Variable &variable, const Storing &storing) {
  const size_t begin = numbers.size();
  numbers.push_back(storing.fills ? 1 : 0);
  numbers.push_back(storing.chunk.n);
  for (const Index *const lengths : {&storing.chunk, &storing.sink})
    numbers.insert(numbers.end(), lengths->begin(), lengths->end());
  numbers.resize(begin + numbers_of(variable));
}

Chunks chunks_in(const int64_t *numbers) {
  Chunks chunks;
  const int64_t dims = numbers[1];
  if (dims == 0) return chunks;
  chunks.kind = Chunks::Kind::shaped;
  for (int64_t d = 0; d < dims; ++d) chunks.shape.push(numbers[2 + dims + d]);
  for (int64_t d = 0; d < dims; ++d) chunks.inside.push(numbers[2 + d]);
  if (chunks.inside == chunks.shape) chunks.inside = {};
  return chunks;
}

}  // namespace

void TeamHome::find_chunks(const std::string &call) {
  if (maker.kind().placing != Placing::by_chunk) return;
  const std::vector<Variable> &variables = file_.schema().variables;
  std::vector<int64_t> numbers;
  bool foreign = false;
  const bool is_open = handle.is_attached();  // definitions were added to it
  const auto look = [&] {
    if (context_.rank() != owner_rank) return;
    const std::unique_ptr<Store> other = is_open ? nullptr : store_of(file_, maker, maker.access());
    Store &from = is_open ? store() : *other;
    if (!is_open) from.attach(file_.schema(), false);
    for (int v = 0; v < std::ssize(variables); ++v) {
      const Storing storing = from.storing(v);
      foreign = foreign || storing.foreign;
      add_numbers(numbers, variables[static_cast<size_t>(v)], storing);
    }
    if (!is_open) from.detach();
  };
  const auto error = file_.located(-1, caught(context_.rank(), look));
  if (context_.agree(call + ", its chunks", error, Any(foreign))) return;
  size_t all = 0;
  for (const Variable &each : variables) all += numbers_of(each);
  numbers.resize(all);
  context_.comm.broadcast(numbers.data(), std::ssize(numbers) * int64_t{sizeof(int64_t)}, owner_rank);
  bool compresses = false;
  found_chunks_.clear();
  const int64_t *next = numbers.data();
  for (const Variable &each : variables) {
    compresses = compresses || *next != 0;
    found_chunks_.push_back(chunks_in(next));
    next += numbers_of(each);
  }
  if (team_.empty()) choose_compressors(compresses);
}

bool TeamHome::has(int rank) const { return std::binary_search(team_.begin(), team_.end(), rank); }

bool TeamHome::shares_calls() const { return is_owner() || readers() == Readers::together; }

std::vector<int> TeamHome::block_owners(const Layout &layout) const {
  const Route route = owners.route(layout);
  return route.self ? owners.writers(layout, route) : std::vector<int>{};
}

void TeamHome::choose_writers() {
  if (file_.mode == Mode::define && maker.kind().placing == Placing::by_chunk)
    choose_compressors(compresses(file_.schema(), maker.access().chunks));  // the definitions are known now
  Home::choose_writers();
  if (file_.mode == Mode::read) return;
  choose_team();
  owners.remark = aggregators();
  check_promises();
  check_chunks();
}

/// For a file that was closed: the shapes of its chunks are unknown, or the store cannot append together.
bool TeamHome::has_single_appender() const {
  const bool unknown = maker.kind().placing == Placing::by_chunk && found_chunks_.empty();
  return file_.mode == Mode::data && (maker.kind().has_single_appender || unknown);
}

/// Local. The ranks that own ranges or, by a route that has owners of blocks write, blocks; and rank 0, which owns the
/// file. Decompositions that come later must do with these writers.
void TeamHome::choose_team() {
  if (has_single_appender()) {
    owners.of_ranges = team_ = {owner_rank};
    return;
  }
  team_ = owners.of_ranges;
  team_.push_back(owner_rank);
  for (const auto &[id, decomp] : context_.decomps.all()) {
    const std::vector<int> writers = block_owners(*decomp->layout);
    team_.insert(team_.end(), writers.begin(), writers.end());
  }
  std::sort(team_.begin(), team_.end());
  team_.erase(std::unique(team_.begin(), team_.end()), team_.end());
}

std::unique_ptr<Store> TeamHome::new_store() {
  const StoreMaker striped = maker.striped(owners.surroundings.chosen);
  if (file_.mode == Mode::define) found_chunks_.clear();  // it is made anew
  if (!team_.empty()) {
    team_comm_ = context_.teams.of(team_, context_.comm);
    return store_of(file_, maker, striped.writing_access(*team_comm_, static_cast<int>(owners.of_ranges.size())));
  }
  if (readers() == Readers::together) return store_of(file_, maker, maker.reading_access(context_.comm));
  return store_of(file_, maker, striped.access());
}

Readers TeamHome::readers() const {
  return !team_.empty() && file_.mode == Mode::data ? Readers::owners_only : chosen_readers(file_.mode == Mode::read);
}

Route TeamHome::new_route(const Layout &layout) const {
  if (maker.kind().placing == Placing::by_chunk) {
    Route route = route_of_ranges();
    route.reason =
        shares_compression_ ? "compressing keeps a writer busy, so all ranks compress" : "chunks have owners";
    return route;
  }
  Route route = owners.route(layout);
  const std::vector<int> writers = block_owners(layout);
  if (!team_.empty() && !std::all_of(writers.begin(), writers.end(), [this](int rank) { return has(rank); })) {
    route = route_of_ranges();
    route.reason = "only these ranks have opened the file";
  }
  if (shares_compression_) route.reason = "compressing keeps a writer busy, so several compress on each node";
  return prepared(std::move(route), layout);
}

/// The actual aggregators, besides the requested hints.
std::string TeamHome::aggregators() const {
  const size_t ranks = team_.size();
  const std::string stripes = owners.surroundings.stripe_count > 1
                                  ? std::to_string(owners.surroundings.stripe_count) + " stripes of "
                                  : "no stripes known; ranges end on multiples of ";
  return std::to_string(ranks) + (ranks == 1 ? " rank has" : " ranks have") + " the file open and " +
         (ranks == 1 ? "writes" : "write") + " as aggregators; " + stripes +
         std::to_string(owners.surroundings.stripe_bytes) + " bytes";
}

}  // namespace sv
