#include "file/team_home.hpp"

#include <algorithm>

#include "file/file.hpp"

namespace sv {

TeamHome::TeamHome(File &file, StoreMaker maker) : OwnHome(file, std::move(maker)) {
  if (file.mode() != Mode::define) return;
  // Where the user leaves the choice, all would wait for one writer that compresses alone.
  if (!asked_.is_open() || !is_netcdf4(schema().format) || file.settings().chunks.deflate == 0) return;
  size_t most = 4;
  for (const std::vector<int> &ranks : context_.topology().ranks_of) most = std::min(most, ranks.size());
  asked_ = {"ranges", 0, 0, {Writers::Kind::per_node, static_cast<int>(most)}};
  shares_compression_ = true;
}

bool TeamHome::has(int rank) const { return std::binary_search(team_.begin(), team_.end(), rank); }

bool TeamHome::is_in_team() const { return has(context_.rank()); }

bool TeamHome::shares_calls() const { return is_in_team() || readers() == Readers::together; }

std::vector<int> TeamHome::block_owners(const Layout &layout) const {
  const Route route = resolve(asked_, layout, context_.topology(), surroundings_);
  return route.self ? writers_of(layout, route) : std::vector<int>{};
}

/// HDF5 lets several ranks lengthen a variable only where it was made for that, which netCDF does not tell: to a file
/// that is there already, one rank (or server) adds.
bool TeamHome::adds_alone() const { return is_netcdf4(schema().format) && file_.mode() == Mode::data; }

void TeamHome::choose_writers() {
  choose_owners();
  choose_team();
  check_counting();
  for (int v = 0; file_.mode() == Mode::define && v < std::ssize(schema().variables); ++v)
    places().stripe_bytes(v);  // checks chunks
}

/// Local. The ranks that own ranges or, by a route that has owners of blocks write, blocks; and rank 0, which owns the
/// file. Decompositions that come later must do with these writers.
void TeamHome::choose_team() {
  if (adds_alone()) {
    range_owners_ = team_ = {owner_rank};
    return;
  }
  team_ = range_owners_;
  team_.push_back(owner_rank);
  for (const auto &decomp : context_.decomps().all()) {
    const std::vector<int> owners = block_owners(*decomp->layout);
    team_.insert(team_.end(), owners.begin(), owners.end());
  }
  std::sort(team_.begin(), team_.end());
  team_.erase(std::unique(team_.begin(), team_.end()), team_.end());
}

std::unique_ptr<Store> TeamHome::new_store() {
  const Kind kind = file_.settings().kind;
  if (!team_.empty()) {
    team_comm_ = context_.team_comm(team_);
    return maker_.make(file_.path(), kind, maker_.writing_access(*team_comm_, static_cast<int>(range_owners_.size())));
  }
  if (readers() == Readers::together) return maker_.make(file_.path(), kind, maker_.reading_access(context_.comm()));
  return maker_.make(file_.path(), kind);
}

/// The team closes the file; then each rank opens it by itself.
void TeamHome::begin_move() {
  handle_.detach(false);
  handle_.exchange(maker_.make(file_.path(), file_.settings().kind));
}

Readers TeamHome::readers() const {
  return !team_.empty() && file_.mode() == Mode::data ? Readers::owners_only
                                                      : chosen_readers(file_.mode() == Mode::read);
}

Route TeamHome::new_route(const Layout &layout) const {
  Route route = OwnHome::new_route(layout);
  const std::vector<int> owners = block_owners(layout);
  if (!team_.empty() && !std::all_of(owners.begin(), owners.end(), [this](int rank) { return has(rank); })) {
    route = route_of_ranges();
    route.reason = "only these ranks have opened the file";
  }
  if (shares_compression_) route.reason = "compressing keeps a writer busy, so several compress on each node";
  return route;
}

/// What really wrote, beside the hints that were asked for.
std::string TeamHome::aggregators() const {
  const size_t ranks = team_.size();
  const std::string stripes = surroundings_.stripe_count > 1
                                  ? std::to_string(surroundings_.stripe_count) + " stripes of "
                                  : "no stripes known; ranges end on multiples of ";
  return std::to_string(ranks) + (ranks == 1 ? " rank has" : " ranks have") + " the file open and " +
         (ranks == 1 ? "writes" : "write") + " as aggregators; " + stripes +
         std::to_string(surroundings_.stripe_bytes) + " bytes";
}

void TeamHome::report(FileReport &report) const {
  OwnHome::report(report);
  if (!team_.empty()) report.remarks.push_back(aggregators());
}

}  // namespace sv
