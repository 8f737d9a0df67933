// Files whose store the writers open together (src/backend): who they are, and what they call together.
#include <algorithm>

#include "engine/extents.hpp"
#include "engine/file.hpp"
#include "engine/file_trace.hpp"
#include "plan/pieces.hpp"

namespace sv {

bool File::in_team() const { return has_team() && std::binary_search(team_.begin(), team_.end(), context_.rank()); }

std::vector<int> File::block_owners(const Layout &layout) const {
  const Route route = resolve(settings_.route, layout, context_.topology(), surroundings_);
  std::vector<int> owners;
  if (route.self)
    for (const Territory &block : blocks_of(layout, route)) owners.push_back(block.rank);
  for (int rank = 0; route.self && layout.points() != nullptr && rank < layout.ranks(); ++rank)
    if (layout.cells_of_rank(rank) > 0) owners.push_back(rank);
  return owners;
}

/// HDF5 lets several ranks lengthen a variable only where it was made for that, which netCDF does not tell: to a file
/// that is there already, one rank (or server) adds.
bool File::adds_alone() const { return is_netcdf4(schema_.format) && mode_ == Mode::data; }

/// Local. The ranks that own ranges or, by a route that has owners of blocks write, blocks; and rank 0, which owns the
/// file. Decompositions that come later must do with these writers.
void File::choose_team() {
  if (!maker_.has_team()) return;
  if (adds_alone()) {
    range_owners_ = team_ = {owner_rank};
    return;
  }
  team_ = range_owners_;
  team_.push_back(owner_rank);
  for (const auto &decomp : context_.decomps()) {
    const std::vector<int> owners = block_owners(*decomp->layout);
    team_.insert(team_.end(), owners.begin(), owners.end());
  }
  std::sort(team_.begin(), team_.end());
  team_.erase(std::unique(team_.begin(), team_.end()), team_.end());
}

/// Collective where there is a team.
std::unique_ptr<Store> File::new_store() {
  if (!has_team()) {
    auto store = maker_.make(path_, settings_.kind);
    if (trace_ != nullptr) trace_->keep_ranges(*store);
    return store;
  }
  team_comm_ = context_.team_comm(team_);
  return maker_.make(path_, settings_.kind, maker_.writing_access(*team_comm_, static_cast<int>(range_owners_.size())));
}

/// Where the user leaves the choice: all would wait for one writer that compresses alone.
void File::share_compression() {
  RouteRequest &asked = settings_.route;
  const bool open = asked.name == "auto" && asked.io_nx == 0 && asked.writers.kind == Writers::Kind::automatic;
  if (!open || !is_netcdf4(schema_.format) || settings_.chunks.deflate == 0) return;
  size_t most = 4;
  for (const std::vector<int> &ranks : context_.topology().ranks_of) most = std::min(most, ranks.size());
  asked = {"ranges", 0, 0, {Writers::Kind::per_node, static_cast<int>(most)}};
  shares_compression_ = true;
}

bool File::writes_within_team(const Layout &layout) const {
  const std::vector<int> owners = block_owners(layout);
  return std::all_of(owners.begin(), owners.end(),
                     [this](int rank) { return std::binary_search(team_.begin(), team_.end(), rank); });
}

int64_t File::most_calls(Direction direction, int variable, int64_t mine) {
  return takes_part() ? attached_store().most_calls(direction, variable, mine) : std::max<int64_t>(mine, 0);
}

void File::agree_in_team(const std::optional<Error> &error) {
  if (in_team()) return attached_store().agree(error ? &*error : nullptr);
  if (error) throw Error(*error);
}

bool File::takes_part() const { return in_team() || (mode_ == Mode::read && reads_together()); }

/// What really wrote, beside the hints that were asked for.
std::string File::aggregators() const {
  const size_t ranks = team_.size();
  const std::string stripes = surroundings_.stripe_count > 1
                                  ? std::to_string(surroundings_.stripe_count) + " stripes of "
                                  : "no stripes known; ranges end on multiples of ";
  return std::to_string(ranks) + (ranks == 1 ? " rank has" : " ranks have") + " the file open and " +
         (ranks == 1 ? "writes" : "write") + " as aggregators; " + stripes +
         std::to_string(surroundings_.stripe_bytes) + " bytes";
}

bool File::reads_together() const { return settings_.reading == Reading::collective && maker_.has_team() && !is_set(); }

Store &File::lone_store() {
  if (only_writers_read())
    throw Error(Status::order, "reading by one rank from a file that its writers have open together",
                "Close the file, and open it for reading")
        .in_file(path_);
  if (!reads_together()) return attached_store();
  if (lone_store_ == nullptr) {
    lone_store_ = maker_.make(path_, settings_.kind);
    lone_store_->attach(schema_, false);
  }
  return *lone_store_;
}

void File::make_room(int variable, int64_t record) {
  if (in_team() && record >= 0) attached_store().grow(variable, record + 1);
}

int64_t File::stripe_bytes(int variable) const {
  if (!is_netcdf4(schema_.format)) return surroundings_.stripe_bytes;
  const Variable &each = this->variable(variable);
  const Chunks chunks = chunks_of(schema_, each, settings_.chunks, static_cast<int>(range_owners_.size()));
  return chunk_stripe(schema_, each, chunks, surroundings_.stripe_bytes);
}

namespace {

/// A variable of a netCDF-4 file stands alone: HDF5 puts it where it likes.
class AloneExtents final : public ExtentMap {
 public:
  AloneExtents(int64_t begin, int64_t bytes) : begin_(begin), end_(begin + bytes) {}
  Extent covering(int64_t offset_bytes) const override {
    return offset_bytes < begin_ ? Extent{0, begin_} : Extent{begin_, end_};
  }

 private:
  int64_t begin_, end_;
};

}  // namespace

Field File::field(int variable, int64_t record) const {
  const Variable &each = this->variable(variable);
  const int64_t offset =
      is_netcdf4(schema_.format) ? stripe_bytes(variable) : schema_.slab_offset(variable, std::max<int64_t>(record, 0));
  return {schema_.slab_shape(each), 0, size_of(each.type), offset};
}

std::shared_ptr<const ExtentMap> File::extents(int variable) const {
  if (is_netcdf4(schema_.format))
    return std::make_shared<AloneExtents>(stripe_bytes(variable), this->variable(variable).slab_bytes);
  if (extents_ == nullptr) extents_ = std::make_shared<SchemaExtents>(schema_);
  return extents_;
}

}  // namespace sv
