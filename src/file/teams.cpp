#include "file/teams.hpp"

#include <algorithm>
#include <utility>

namespace sv {

/// Which teams are known follows from the calls alone, which are the same on all ranks: none splits `all` while another
/// finds what it knows.
std::shared_ptr<const Comm> Teams::of(const std::vector<int> &ranks, const Comm &all) {
  const auto known = std::find_if(teams_.begin(), teams_.end(), [&](const Team &team) { return team.ranks == ranks; });
  if (known != teams_.end()) {
    teams_.splice(teams_.begin(), teams_, known);
  } else {
    const bool inside = std::find(ranks.begin(), ranks.end(), all.rank()) != ranks.end();
    teams_.push_front({ranks, std::make_shared<Comm>(all.split(inside ? 1 : 0))});
  }
  if (teams_.size() > most_) {
    leaving_.push_back(std::move(teams_.back().comm));
    teams_.pop_back();
  }
  free_unused();
  return teams_.front().comm;
}

void Teams::free_unused() {
  const auto unused = [](const std::shared_ptr<Comm> &comm) { return comm.use_count() == 1; };
  for (const auto &comm : leaving_)
    if (unused(comm)) comm->free();
  std::erase_if(leaving_, unused);
}

void Teams::free() {
  for (const Team &team : teams_) team.comm->free();
  for (const auto &comm : leaving_) comm->free();
  teams_.clear();
  leaving_.clear();
}

}  // namespace sv
