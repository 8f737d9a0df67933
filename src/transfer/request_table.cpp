#include "transfer/request_table.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/signature.hpp"
#include "file/file.hpp"
#include "file/home.hpp"
#include "layout/layout.hpp"
#include "mpi/packets.hpp"
#include "transfer/exchange_runs.hpp"

namespace sv {

namespace {

constexpr int64_t most_claims = 1 << 20;  // of one field: 300 MB

/// Records [begin, end) of an entry; 0 and 1 for variables without records.
struct Interval {
  int64_t begin, end;
  size_t entry;
};

/// Makes bands of the entries of one variable after the other.
class Bands {
 public:
  /// Replaces the bands of `fields`, which outlives it.
  Bands(AskedFields &fields, RequestMemory &memory)
      : file_(fields.list.file),
        direction_(fields.list.direction),
        memory_(memory),
        bands_(fields.bands),
        own_(fields.own) {
    bands_.clear();
    own_.clear();
  }

  void add(std::span<const Entry> entries);  // of one variable, ordered by rank and request
  const std::vector<Refusal> &refused() const { return refused_; }

 private:
  using Active = std::vector<const Entry *>;

  void refuse(const Active &active, const KnownClaims &known);
  void append(const Active &active, int64_t record, const std::shared_ptr<const Claims> &claims);
  static bool ask_alike(const Active &a, const Active &b);
  void find_key(const Active &active);
  const KnownClaims &known(const Active &active);
  static std::vector<std::pair<size_t, size_t>> conflicts_of(const Active &active, const std::vector<int> &rivals,
                                                             const std::vector<size_t> &entry_of);
  KnownClaims make(const Active &active) const;
  void claim(const Entry &entry, int order, std::vector<Claim> &claims) const;
  void claim_grid(const Entry &entry, int order, std::vector<Claim> &claims) const;
  void claim_regions(const Entry &entry, int order, std::vector<Claim> &claims) const;
  /// The rank whose copy of equal puts is written: different ranks for different variables.
  int provider() const { return variable_ % file_.context().comm.size(); }
  const Variable &variable() const { return file_.variable(variable_); }

  const File &file_;
  const Direction direction_;
  int variable_ = -1;
  Index shape_;
  RequestMemory &memory_;
  std::vector<Band> &bands_;
  std::vector<OwnRequests> &own_;
  std::vector<Refusal> refused_;
  // Of the variable or field at hand; members, so that their memory serves the next one.
  std::vector<Interval> intervals_, open_;
  std::vector<int64_t> edges_, key_;
  Active active_, before_;
  std::vector<int> own_requests_;
};

void find_intervals(std::span<const Entry> entries, std::vector<Interval> &all) {
  all.clear();
  for (size_t e = 0; e < entries.size(); ++e) {
    const RecordRange &records = entries[e].records;
    if (records.apart == 1 || records.count == 1) {
      all.push_back({records.first, records.first + records.count, e});
      continue;
    }
    for (int64_t i = 0; i < records.count; ++i)
      all.push_back({records.first + i * records.apart, records.first + i * records.apart + 1, e});
  }
  std::sort(all.begin(), all.end(), [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
}

void Bands::add(std::span<const Entry> entries) {
  variable_ = entries.front().variable;
  shape_ = file_.schema().slab_shape(variable());
  find_intervals(entries, intervals_);
  edges_.clear();
  for (const Interval &each : intervals_) {
    edges_.push_back(each.begin);
    edges_.push_back(each.end);
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  open_.clear();
  size_t next = 0;
  const KnownClaims *found = nullptr;
  for (size_t i = 0; i + 1 < edges_.size(); ++i) {
    std::erase_if(open_, [&](const Interval &each) { return each.end <= edges_[i]; });
    for (; next < intervals_.size() && intervals_[next].begin == edges_[i]; ++next) open_.push_back(intervals_[next]);
    if (open_.empty()) continue;
    std::sort(open_.begin(), open_.end(), [](const Interval &a, const Interval &b) { return a.entry < b.entry; });
    active_.clear();
    for (const Interval &each : open_) active_.push_back(&entries[each.entry]);
    if (found == nullptr || !ask_alike(active_, before_)) found = &known(active_);
    before_ = active_;
    refuse(active_, *found);
    if (found->claims != nullptr)
      for (int64_t record = edges_[i]; record < edges_[i + 1]; ++record) append(active_, record, found->claims);
  }
}

/// Whether they have the same key, because they ask the same of other records.
bool Bands::ask_alike(const Active &a, const Active &b) {
  if (a.size() != b.size()) return false;
  const auto repeats = [](const Active &all, size_t i) {
    return i > 0 && all[i - 1]->rank == all[i]->rank && all[i - 1]->request == all[i]->request;
  };
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i]->rank != b[i]->rank || a[i]->kind != b[i]->kind || a[i]->decomp != b[i]->decomp ||
        a[i]->regions != b[i]->regions || repeats(a, i) != repeats(b, i))
      return false;
  return true;
}

/// The key of the claims: equal keys have equal claims.
void Bands::find_key(const Active &active) {
  std::vector<int64_t> &key = key_;
  key.assign({static_cast<int64_t>(direction_), shape_.n});
  key.insert(key.end(), shape_.begin(), shape_.end());
  const Entry *before = nullptr;
  for (const Entry *each : active) {
    key.push_back(each->rank);
    key.push_back(static_cast<int64_t>(each->kind));
    key.push_back(before != nullptr && before->rank == each->rank && before->request == each->request);
    if (each->kind == RequestArgs::Kind::distributed) {
      key.push_back(each->decomp);
      key.push_back(file_.definitions.first_axis(variable_, *each->layout));
    } else if (each->kind == RequestArgs::Kind::replicated) {
      key.push_back(provider());
    } else {
      key.push_back(each->regions->id);
    }
    before = each;
  }
}

void Bands::claim_grid(const Entry &entry, int order, std::vector<Claim> &claims) const {
  const int axis = file_.definitions.first_axis(variable_, *entry.layout);
  int rank = -1, region = 0;
  const auto patches = entry.rank == every_rank ? entry.layout->patches() : entry.layout->patches_of_rank(entry.rank);
  for (const Patch &patch : patches) {
    region = patch.rank == rank ? region + 1 : 0;
    rank = patch.rank;
    Box box = Box::whole(shape_);
    for (int d = 0; d < patch.box.dims(); ++d) {
      box.start[axis + d] = patch.box.start[d];
      box.count[axis + d] = patch.box.count[d];
    }
    if (!box.empty()) claims.push_back({rank, order, box, region});
  }
}

void Bands::claim_regions(const Entry &entry, int order, std::vector<Claim> &claims) const {
  for (const RegionSet::Region &region : entry.regions->regions) {
    const Index divisions = divisions_of(region.cells);
    const int64_t parts = divisions.product();
    if (parts + static_cast<int64_t>(claims.size()) > most_claims)
      throw Error(Status::limit, "the requests have more than a million separate parts of one field",
                  "Put requests of single cells by themselves (sv_put_vars), or in several calls");
    for (int64_t number = 0; number < parts; ++number)
      claims.push_back({entry.rank, order, part_of(region.cells, divisions, number, entry.rank).box, region.place});
  }
}

void Bands::claim(const Entry &entry, int order, std::vector<Claim> &claims) const {
  if (entry.kind == RequestArgs::Kind::distributed) return claim_grid(entry, order, claims);
  if (entry.kind == RequestArgs::Kind::regions) return claim_regions(entry, order, claims);
  const Box whole = Box::whole(shape_);
  if (whole.empty()) return;
  const int ranks = file_.context().comm.size();
  if (entry.rank != every_rank) return claims.push_back({entry.rank, order, whole});
  if (direction_ == Direction::write) return claims.push_back({provider(), order, whole});
  for (int rank = 0; rank < ranks; ++rank) claims.push_back({rank, order, whole});
}

/// Each entry that shares cells, with one of those it shares them with. Of copies of the same values, all or none.
std::vector<std::pair<size_t, size_t>> Bands::conflicts_of(const Active &active, const std::vector<int> &rivals,
                                                           const std::vector<size_t> &entry_of) {
  std::map<size_t, size_t> rival_of;
  for (size_t i = 0; i < rivals.size(); ++i)
    if (rivals[i] >= 0) rival_of.try_emplace(entry_of[i], entry_of[static_cast<size_t>(rivals[i])]);
  const auto replicated = [&](size_t a) { return active[a]->kind == RequestArgs::Kind::replicated; };
  const auto copy =
      std::find_if(rival_of.begin(), rival_of.end(), [&](const auto &each) { return replicated(each.first); });
  if (copy != rival_of.end())
    for (size_t a = 0; a < active.size(); ++a)
      if (replicated(a)) rival_of.try_emplace(a, copy->second);
  return {rival_of.begin(), rival_of.end()};
}

KnownClaims Bands::make(const Active &active) const {
  std::vector<Claim> claims;
  std::vector<size_t> entry_of;  // by claim
  int order = -1, provider = -2;
  const Entry *before = nullptr;
  for (size_t a = 0; a < active.size(); ++a) {
    const Entry &entry = *active[a];
    if (before == nullptr || before->rank != entry.rank) order = -1;
    if (before == nullptr || before->rank != entry.rank || before->request != entry.request) ++order;
    before = &entry;
    if (entry.kind == RequestArgs::Kind::replicated && direction_ == Direction::write) {
      if (provider == -2) provider = entry.rank;
      if (provider != entry.rank) continue;  // the same values, from a higher rank
    }
    claim(entry, order, claims);
    entry_of.resize(claims.size(), a);
  }
  const auto of_rank = [](const Claim &a, const Claim &b) { return a.rank < b.rank; };
  const int ranks = file_.context().comm.size();
  const bool one_grid =
      std::all_of(active.begin(), active.end(),
                  [&](const Entry *each) {
                    return each->kind == RequestArgs::Kind::distributed && each->decomp == active.front()->decomp;
                  }) &&
      std::adjacent_find(active.begin(), active.end(),
                         [](const Entry *a, const Entry *b) { return a->rank == b->rank; }) == active.end();
  KnownClaims known;
  if (direction_ == Direction::write && !one_grid && claims.size() > 1) {
    if (file_.settings().overlap == Overlap::allow) {
      std::stable_sort(claims.begin(), claims.end(), of_rank);
      claims = without_overlaps(shape_, claims);
    } else {
      known.conflicts = conflicts_of(active, rivals(shape_, claims), entry_of);
      if (!known.conflicts.empty()) return known;
    }
  }
  std::stable_sort(claims.begin(), claims.end(), of_rank);
  const bool all_of_it = active.size() == 1 && active.front()->kind == RequestArgs::Kind::replicated;
  const int64_t depth = direction_ == Direction::write || one_grid ? 1 : all_of_it ? ranks : 0;
  known.claims = std::make_shared<const Claims>(shape_, ranks, std::move(claims), depth);
  return known;
}

const KnownClaims &Bands::known(const Active &active) {
  find_key(active);
  const auto found = memory_.known.find(key_);
  if (found != memory_.known.end()) return found->second;
  const KnownClaims &made = memory_.known.emplace(key_, make(active)).first->second;
  if (made.claims != nullptr) memory_.claims += static_cast<int64_t>(made.claims->all().size());
  return made;
}

void Bands::refuse(const Active &active, const KnownClaims &known) {
  const auto in_words = [](const Entry &entry) {
    return "request " + std::to_string(entry.place + 1) + " of " +
           (entry.rank == every_rank ? "each rank" : "rank " + std::to_string(entry.rank));
  };
  for (const auto &[a, b] : known.conflicts)
    for (const auto &[one, other] : {std::pair(active[a], active[b]), std::pair(active[b], active[a])})
      refused_.push_back(
          {one->rank, one->request,
           in_words(*one) + " puts cells of " + file_.name_of(variable_) + " that " + in_words(*other) + " puts too"});
}

void Bands::append(const Active &active, int64_t record, const std::shared_ptr<const Claims> &claims) {
  std::vector<int> &own = own_requests_;
  own.clear();
  for (const Entry *each : active)
    if ((each->rank == every_rank || each->rank == file_.context().rank()) &&
        (own.empty() || own.back() != each->request))
      own.push_back(each->request);
  const bool has_records = variable().has_records;
  std::vector<std::byte> fill = fill_for(file_, direction_, variable_, has_records ? record : 0, *claims);
  if (!bands_.empty()) {
    Band &last = bands_.back();
    if (last.variable == variable_ && last.claims == claims && last.fill == fill &&
        last.first_record + last.records == record && own_.back().orders == static_cast<int>(own.size())) {
      ++last.records;
      own_.back().asked.insert(own_.back().asked.end(), own.begin(), own.end());
      return;
    }
  }
  const Field field = file_.home().places().field(variable_, has_records ? record : -1);
  bands_.push_back({variable_, record, 1, field.offset_bytes, file_.home().places().step_bytes(variable_),
                    field.element_bytes, claims, std::move(fill)});
  own_.push_back({static_cast<int>(own.size()), own});
}

/// A decomposition that waiting requests need; it may have been freed on a rank that has none of them.
std::shared_ptr<const Layout> layout_of(Context &context, int64_t decomp) {
  if (auto layout = context.decomps.layout(static_cast<int>(decomp))) return layout;
  throw Error(Status::order, "a decomposition was freed on this rank while requests on it waited",
              "Free it after sv_wait");
}

/// Collective. The entries of all ranks, by rank.
std::vector<Entry> gathered(const Comm &comm, const std::vector<int64_t> &mine, RequestMemory &memory) {
  const std::vector<std::vector<int64_t>> all = all_values(comm, mine);
  std::vector<Entry> entries;
  for (int rank = 0; rank < comm.size(); ++rank) decode(rank, all[static_cast<size_t>(rank)], memory, entries);
  return entries;
}

/// Finds the fields of the entries of all ranks, and leaves out those that are refused.
void find_fields(AskedFields &fields, std::vector<Entry> entries, RequestMemory &memory) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry &a, const Entry &b) { return a.variable < b.variable; });
  std::set<std::pair<int, int>> left_out;
  while (true) {
    Bands bands(fields, memory);
    for (size_t first = 0, last = 0; first < entries.size(); first = last) {
      while (last < entries.size() && entries[last].variable == entries[first].variable) ++last;
      bands.add(std::span(entries).subspan(first, last - first));
    }
    if (bands.refused().empty()) return;
    for (const Refusal &each : bands.refused())
      if (left_out.insert({each.rank, each.request}).second) fields.refused.push_back(each);
    std::erase_if(entries, [&](const Entry &each) { return left_out.count({each.rank, each.request}) > 0; });
  }
}

/// Of fields, only those whose place is in every rank's list. (Of sub-arrays, a rank may have nothing.) Throws
/// Error(order) where ranks put the same field on different decompositions.
void keep_common(const File &file, std::vector<Entry> &entries) {
  const int ranks = file.context().comm.size();
  std::map<int, std::set<int>> ranks_with;
  std::map<int, int64_t> decomps;
  for (const Entry &each : entries) {
    ranks_with[each.place].insert(each.rank);
    if (decomps.try_emplace(each.place, each.decomp).first->second != each.decomp)
      throw Error(Status::ranks, "ranks put " + file.name_of(each.variable) + " on different decompositions",
                  "Make the same puts on every rank");
  }
  std::erase_if(entries, [&](const Entry &each) {
    return each.kind != RequestArgs::Kind::regions && static_cast<int>(ranks_with[each.place].size()) < ranks;
  });
}

bool is_region(const Request *request) { return request->kind == RequestArgs::Kind::regions; }

/// Hash of this rank's message; 0: nothing.
int64_t hash_of(const std::vector<int64_t> &numbers) {
  if (numbers.empty()) return 0;
  const std::string_view text(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(int64_t));
  return compared_number(run_local_hash(text));
}

/// All ranks have the same requests: no more is exchanged, and the result is the same everywhere.
void find_alike(AskedFields &fields, const std::vector<int64_t> &numbers, RequestMemory &memory) {
  std::vector<Entry> entries;
  decode(every_rank, numbers, memory, entries);
  for (Entry &each : entries) each.layout = fields.mine(each.request).layout;
  find_fields(fields, std::move(entries), memory);
}

/// Collective. Ranks have different requests.
void find_exchanged(AskedFields &fields, Encoded &mine, RequestMemory &memory) {
  File &file = fields.file();
  Context &context = file.context();
  std::vector<Entry> entries = gathered(context.comm, mine.numbers, memory);
  memory.registered.merge(mine.fresh);
  try {
    agree(file, fields.list.call + ", brought together", -1, [&] {
      if (fields.list.alike) keep_common(file, entries);
      for (Entry &each : entries)
        if (each.kind == RequestArgs::Kind::distributed) each.layout = layout_of(context, each.decomp);
      find_fields(fields, std::move(entries), memory);
    });
  } catch (const Error &) {
    memory = {};  // of which some ranks know more than others
    throw;
  }
}

/// The values that ranks agree on when their requests are brought together.
struct RequestsVote {
  enum class Asks : int64_t { nothing, whole, lines_enclosed, lines };  // of the requests of a rank; the highest counts
  Same hash{};  // of a rank's requests; if lines decide: 1 if a rank has other requests than regions
  Max<Asks> asks{};
  Any complaint{}, more{};
  auto members() { return std::tie(hash, asks, complaint, more); }
};

/// The lines that the ranks have exchanged in the last gate, by rank.
std::vector<std::vector<FieldLine>> lines_in(const Context &context) {
  std::vector<std::vector<FieldLine>> all;
  for (int rank = 0; rank < context.comm.size(); ++rank) {
    const std::span<const std::byte> enclosed = context.gate.enclosed_by(rank);
    all.emplace_back(enclosed.size() / sizeof(FieldLine));
    std::copy(enclosed.begin(), enclosed.end(), std::as_writable_bytes(std::span(all.back())).begin());
  }
  return all;
}

}  // namespace

std::optional<AskedFields> asked_alike(RequestList list, RequestMemory &memory) {
  if (list.mine.empty() || std::ranges::any_of(list.mine, is_region)) return std::nullopt;
  AskedFields fields{std::move(list)};
  memory.bound();
  const std::vector<int64_t> numbers = encoded(fields.list, memory).numbers;
  find_alike(fields, numbers, memory);
  fields.hash = hash_of(numbers);
  return fields;
}

AskedFields exchange_requests(RequestList given, RequestMemory &memory) {
  AskedFields fields{std::move(given)};
  const RequestList &list = fields.list;
  Context &context = list.file.context();
  memory.bound();
  // Regions are sent only to the ranks that they concern, and not compared.
  const bool regions = std::ranges::any_of(list.mine, is_region), whole = !std::ranges::all_of(list.mine, is_region);
  const bool by_runs = regions && list.file.home().combines();
  Encoded mine;
  if (!by_runs) mine = encoded(list, memory);
  OwnLines own;
  const auto failed = caught(context.rank(), [&] {
    if (by_runs) own = own_lines(list);
  });
  const std::span<const std::byte> lines = std::as_bytes(std::span(own.lines));
  using Asks = RequestsVote::Asks;
  RequestsVote vote{.hash = by_runs ? (whole ? 1 : 0) : hash_of(mine.numbers),
                    .asks = mine.numbers.empty() ? Asks::nothing : Asks::whole,
                    .complaint = list.complaint,
                    .more = list.more};
  if (by_runs) vote.asks = context.gate.carries(lines.size()) ? Asks::lines_enclosed : Asks::lines;
  const auto agreed = read_words<RequestsVote>(
      context.agree_and_share(list.call, list.file.located(-1, failed), lines, words_with(vote)));
  const Asks asks = agreed.asks;
  const bool equal = agreed.hash.is_equal();
  if (asks >= Asks::lines_enclosed || (asks == Asks::whole && !equal && list.file.home().combines())) {
    const bool some_whole = agreed.hash.largest > 0;
    if (asks == Asks::lines_enclosed && !some_whole) own.of_all = lines_in(context);
    exchange_runs(fields, some_whole, std::move(own));
  } else if (asks == Asks::whole && equal && !regions) {
    find_alike(fields, mine.numbers, memory);
  } else if (asks == Asks::whole) {
    find_exchanged(fields, mine, memory);
  }
  fields.any = asks != Asks::nothing;
  fields.complaint = agreed.complaint;
  fields.more = agreed.more;
  return fields;
}

}  // namespace sv
