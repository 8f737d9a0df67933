#include "file/team_home.hpp"

#include <algorithm>

#include "file/divided.hpp"
#include "file/file.hpp"

namespace sv {

TeamHome::TeamHome(File &file, StoreMaker store_maker) : Home(file, std::move(store_maker)) {
  owners.only_these = true;
  if (file.mode != Mode::define) return;
  if (maker.kind().placing == Placing::by_chunk) choose_compressors();
  // Where the user leaves the choice, all would wait for one writer that compresses alone.
  if (!owners.asked.is_open() || maker.kind().placing != Placing::in_chunks || !file.settings().chunks.compresses())
    return;
  size_t most = 4;
  for (const std::vector<int> &ranks : context_.topology().ranks_of) most = std::min(most, ranks.size());
  owners.asked = {"ranges", 0, 0, {Writers::Kind::per_node, static_cast<int>(most)}};
  shares_compression_ = true;
}

/// Chunks have owners, whoever asks for blocks to be written by theirs; and where chunks are compressed and nobody says
/// how many do it, all ranks do.
void TeamHome::choose_compressors() {
  const bool has_owners = owners.asked.ranges().has_value();
  if (has_owners && (!owners.asked.is_open() || !file_.settings().chunks.compresses())) return;
  owners.asked = {"ranges", 0, 0, {Writers::Kind::count, context_.comm.size()}};
  shares_compression_ = has_owners;
}

bool TeamHome::has(int rank) const { return std::binary_search(team_.begin(), team_.end(), rank); }

bool TeamHome::shares_calls() const { return is_owner() || readers() == Readers::together; }

std::vector<int> TeamHome::block_owners(const Layout &layout) const {
  const Route route = owners.route(layout);
  return route.self ? owners.writers(layout, route) : std::vector<int>{};
}

void TeamHome::choose_writers() {
  Home::choose_writers();
  if (file_.mode == Mode::read) return;
  choose_team();
  remark_ = aggregators();
  check_promises();
  for (int v = 0; file_.mode == Mode::define && v < std::ssize(file_.schema().variables); ++v)
    places().stripe_bytes(v);  // checks chunks
}

/// Local. The ranks that own ranges or, by a route that has owners of blocks write, blocks; and rank 0, which owns the
/// file. Decompositions that come later must do with these writers.
void TeamHome::choose_team() {
  if (maker.kind().adds_alone && file_.mode == Mode::data) {
    owners.of_ranges = team_ = {owner_rank};
    return;
  }
  team_ = owners.of_ranges;
  team_.push_back(owner_rank);
  for (const auto &decomp : context_.decomps.all()) {
    const std::vector<int> writers = block_owners(*decomp->layout);
    team_.insert(team_.end(), writers.begin(), writers.end());
  }
  std::sort(team_.begin(), team_.end());
  team_.erase(std::unique(team_.begin(), team_.end()), team_.end());
}

std::unique_ptr<Store> TeamHome::new_store() {
  if (!team_.empty()) {
    team_comm_ = context_.teams.of(team_, context_.comm);
    return store_of(file_, maker, maker.writing_access(*team_comm_, static_cast<int>(owners.of_ranges.size())));
  }
  if (readers() == Readers::together) return store_of(file_, maker, maker.reading_access(context_.comm));
  return store_of(file_, maker, maker.access());
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

/// What really wrote, beside the hints that were asked for.
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
