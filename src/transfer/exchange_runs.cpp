#include "transfer/exchange_runs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "file/home.hpp"
#include "mpi/packets.hpp"
#include "transfer/line_plan.hpp"
#include "transfer/shared_cells.hpp"

namespace sv {

namespace {

/// The common knowledge of a request on a whole variable or a decomposition. As it travels.
struct WholeRequest {
  int64_t request, place, variable, replicated, decomp, record;
};

/// The values that ranks agree on about cells that several of them request.
struct SharingVote {
  Any share{};           // ranks write the same cells
  Max<int64_t> depth{};  // as many ranks, at most, read one cell
  auto members() { return std::tie(share, depth); }
};

bool later_wins(const RequestList &list) {
  return list.direction == Direction::write && list.file.settings().overlap == Overlap::allow;
}

/// Brings the requests of one call together, until no two of them share cells.
class RunExchange {
 public:
  explicit RunExchange(AskedFields &fields)
      : fields_(fields),
        list_(fields.list),
        file_(list_.file),
        writes_(list_.direction == Direction::write),
        left_out_(list_.mine.size(), false) {}

  /// As exchange_runs.
  void run(bool whole, OwnLines own);

 private:
  OwnRuns runs_left() const;
  bool make_table(OwnRuns runs);
  void hear_of_whole();
  void keep_common();
  void keep_one_copy();
  void line_up(int64_t depth);
  void index(const std::vector<int64_t> &edges);
  std::vector<Packet> messages();
  std::vector<Packet> messages_from_lines() const;
  void read_messages(const std::vector<Packet> &messages);
  int64_t enter(int round, std::vector<RunMessageReader> &readers, const std::vector<Packet> &messages);
  void count_neighbours();
  void send_to_neighbours();
  void cut_for_reading();
  /// Whether it must be done again.
  bool shares();
  void refuse();
  template <class Visit>
  void for_own(int sink, int round, Visit &&visit) const;
  template <class Visit>
  void for_lines(int rank, int sink, int round, Visit &&visit) const;
  FileRange in_file(int round, const SliceRun &run) const;
  Context &context() const { return file_.context(); }

  AskedFields &fields_;
  const RequestList &list_;
  const File &file_;
  const bool writes_;
  std::vector<bool> left_out_;
  std::vector<std::vector<WholeRequest>> whole_;  // by rank
  std::vector<std::vector<FieldLine>> lines_;     // by rank
  std::vector<std::vector<FieldLine>> gathered_;  // the same, before the first lining up; empty: not yet
  std::shared_ptr<RunTable> table_;
  int64_t unit_ = 1;
  std::vector<std::vector<FileRange>> lost_;  // by rank: the parts that higher ranks take from it
  bool share_ = false;                        // ranks, of a slice of this one
  int64_t depth_ = 1;                         // of the read parts
};

void RunExchange::hear_of_whole() {
  std::vector<WholeRequest> mine;
  for (size_t i = 0; i < list_.mine.size(); ++i) {
    const Request &each = *list_.mine[i];
    if (each.kind != RequestArgs::Kind::regions)
      mine.push_back({static_cast<int64_t>(i), list_.places[i], each.variable,
                      each.kind == RequestArgs::Kind::replicated ? 1 : 0, each.decomp,
                      std::max<int64_t>(0, each.record)});
  }
  whole_ = all_values(context().comm, mine);
}

/// Of whole fields, only those whose place is in every rank's list. Throws Error(order) where ranks put the same field
/// on different decompositions.
void RunExchange::keep_common() {
  std::map<int64_t, std::set<size_t>> ranks_with;
  std::map<int64_t, int64_t> decomps;
  for (size_t rank = 0; rank < whole_.size(); ++rank)
    for (const WholeRequest &each : whole_[rank]) {
      ranks_with[each.place].insert(rank);
      if (decomps.try_emplace(each.place, each.decomp).first->second != each.decomp)
        throw Error(Status::ranks,
                    "ranks put " + file_.name_of(static_cast<int>(each.variable)) + " on different decompositions",
                    "Make the same puts on every rank");
    }
  for (const WholeRequest &each : whole_[static_cast<size_t>(context().rank())])
    if (ranks_with[each.place].size() < whole_.size()) left_out_[static_cast<size_t>(each.request)] = true;
}

/// Of equal puts of several ranks, keeps the lowest rank's.
void RunExchange::keep_one_copy() {
  std::set<std::pair<int64_t, int64_t>> below;
  for (int rank = 0; rank < context().rank(); ++rank)
    for (const WholeRequest &each : whole_[static_cast<size_t>(rank)])
      if (each.replicated != 0) below.insert({each.variable, each.record});
  for (const WholeRequest &each : whole_[static_cast<size_t>(context().rank())])
    if (each.replicated != 0 && below.count({each.variable, each.record}) > 0)
      left_out_[static_cast<size_t>(each.request)] = true;
}

/// Calls visit(first byte in the slice, bytes) for this rank's runs, one by one.
template <class Visit>
void RunExchange::for_own(int sink, int round, Visit &&visit) const {
  const RunTable::InSlice &in = table_->in_slice(sink, round);
  size_t i = in.first;
  table_->plan->for_portions(sink, round, [&](const Portion &portion) {
    const int64_t bytes =
        (portion.elements.last - portion.elements.first) * table_->plan->band_of(portion).element_bytes;
    const int64_t offset = table_->plan->offset_of(portion), end = offset + bytes;
    for (; i < in.last && table_->own.runs[i].offset_bytes < end; ++i)
      visit(portion.slice_bytes + table_->own.runs[i].offset_bytes - offset, table_->own.bytes_of(table_->own.runs[i]));
  });
}

/// The same of any rank whose lines are dense.
template <class Visit>
void RunExchange::for_lines(int rank, int sink, int round, Visit &&visit) const {
  const CombinedPlan &plan = *table_->plan;
  plan.for_portions(sink, round, [&](const Portion &portion) {
    const Band &band = plan.band_of(portion);
    const int64_t record = band.first_record + plan.place_of(portion).record;
    for (const FieldLine &line : lines_[static_cast<size_t>(rank)]) {
      const int64_t first = std::max(line.first, portion.elements.first);
      const int64_t last = std::min(line.last, portion.elements.last);
      const bool has = record >= line.first_record && record < line.first_record + line.records;
      if (line.variable != band.variable || !has || first >= last) continue;
      visit(portion.slice_bytes + (first - portion.elements.first) * band.element_bytes,
            (last - first) * band.element_bytes);
    }
  });
}

/// Makes the plan, and finds this rank's runs in its slices.
void RunExchange::line_up(int64_t depth) {
  RunTable &table = *table_;
  lines_ = gathered_.empty() ? all_values(context().comm, lines_of(file_, table.own)) : std::exchange(gathered_, {});
  fields_.bands = bands_of(file_, list_.direction, lines_, depth);
  if (fields_.bands.empty() || (!writes_ && !file_.home().reads_through_writers())) return;
  table.plan = std::make_unique<const CombinedPlan>(line_plan(file_, fields_.bands, list_.direction));
  const CombinedPlan &plan = *table.plan;
  unit_ = 0;
  std::vector<int64_t> edges;
  const auto sinks = static_cast<int>(plan.stretches().size());
  for (int s = 0; s < sinks; ++s) {
    if (plan.stretches()[static_cast<size_t>(s)].rank == context().rank()) table.own_sink = s;
    for (int round = 0; round < plan.rounds(); ++round)
      plan.for_portions(s, round, [&](const Portion &portion) {
        edges.push_back(plan.offset_of(portion));
        unit_ = std::gcd(std::gcd(unit_, plan.band_of(portion).element_bytes), portion.slice_bytes);
      });
  }
  index(edges);
}

/// `edges`: where portions begin in the file.
void RunExchange::index(const std::vector<int64_t> &edges) {
  RunTable &table = *table_;
  const CombinedPlan &plan = *table.plan;
  cut(table.own, edges);
  table.slices.clear();
  size_t next = 0;
  for (int s = 0; s < static_cast<int>(plan.stretches().size()); ++s)
    for (int round = 0; round < plan.rounds(); ++round) {
      RunTable::InSlice in{next, next, 0};
      plan.for_portions(s, round, [&](const Portion &portion) {
        const int64_t offset = plan.offset_of(portion);
        const int64_t last =
            offset + (portion.elements.last - portion.elements.first) * plan.band_of(portion).element_bytes;
        int64_t end = offset;
        for (; next < table.own.runs.size() && table.own.runs[next].offset_bytes < last; ++next) {
          const int64_t begin = table.own.runs[next].offset_bytes, behind = table.own.end_of(table.own.runs[next]);
          in.bytes += std::max<int64_t>(0, behind - std::max(begin, end));
          end = std::max(end, behind);
        }
      });
      in.last = next;
      table.slices.push_back(in);
    }
}

std::vector<Packet> RunExchange::messages() {
  const CombinedPlan &plan = *table_->plan;
  std::vector<Packet> messages;
  for (int s = 0; s < static_cast<int>(plan.stretches().size()); ++s) {
    RunMessage message(unit_);
    int64_t bytes = 0;
    for (int round = 0; s != table_->own_sink && round < plan.rounds(); ++round) {
      for_own(s, round, [&](int64_t begin, int64_t run_bytes) { message.add(begin, run_bytes); });
      message.end_round();
      bytes += table_->in_slice(s, round).bytes;
    }
    if (bytes > 0) messages.push_back({plan.stretches()[static_cast<size_t>(s)].rank, message.take()});
  }
  return messages;
}

/// The messages of other ranks to this one.
std::vector<Packet> RunExchange::messages_from_lines() const {
  std::vector<Packet> messages;
  for (int rank = 0; table_->own_sink >= 0 && rank < context().comm.size(); ++rank) {
    if (rank == context().rank() || lines_[static_cast<size_t>(rank)].empty()) continue;
    RunMessage message(unit_);
    for (int round = 0; round < table_->plan->rounds(); ++round) {
      for_lines(rank, table_->own_sink, round, [&](int64_t begin, int64_t bytes) { message.add(begin, bytes); });
      message.end_round();
    }
    messages.push_back({rank, message.take()});
  }
  return messages;
}

FileRange RunExchange::in_file(int round, const SliceRun &run) const {
  FileRange found{0, 0};
  table_->plan->for_portions(table_->own_sink, round, [&](const Portion &portion) {
    if (portion.slice_bytes <= run.begin)
      found.begin = table_->plan->offset_of(portion) + run.begin - portion.slice_bytes;
  });
  found.end = found.begin + run.bytes;
  return found;
}

/// One round of this rank's own stretch, the highest rank first. Returns how many ranks, at most, share a cell.
int64_t RunExchange::enter(int round, std::vector<RunMessageReader> &readers, const std::vector<Packet> &messages) {
  RunTable &table = *table_;
  const int rank = context().rank();
  SliceBits bits(unit_);
  bits.clear(table.plan->slice_bytes(table.own_sink, round));
  std::vector<uint16_t> counts(writes_ || context().topology().nodes() == 1
                                   ? 0
                                   : static_cast<size_t>(table.plan->slice_bytes(table.own_sink, round) / unit_ + 1));
  const bool allowed = writes_ && file_.settings().overlap == Overlap::allow;
  std::vector<SliceRun> taken;
  const auto take = [&](const SliceRun &run, int of) {
    if (allowed && bits.any(run)) bits.append_set(run, taken);
    share_ = bits.take(run) || share_;
    for (auto unit = run.begin / unit_; !counts.empty() && unit < run.end() / unit_; ++unit)
      ++counts[static_cast<size_t>(unit)];
    for (const SliceRun &each : taken) lost_[static_cast<size_t>(of)].push_back(in_file(round, each));
    taken.clear();
  };
  const auto take_own = [&] {
    for_own(table.own_sink, round, [&](int64_t begin, int64_t bytes) {
      take({static_cast<uint32_t>(begin), static_cast<uint32_t>(bytes)}, rank);
    });
  };
  bool own = false;
  for (size_t l = messages.size(); l-- > 0;) {
    if (!own && messages[l].rank < rank) {
      take_own();
      own = true;
    }
    RunsOfRank &far = table.far[static_cast<size_t>(messages[l].rank)];
    const bool keeps = !context().topology().same_node(rank, messages[l].rank);
    if (keeps) far.first.push_back(far.runs.size());
    int64_t bytes = 0;
    for (SliceRun run{}; readers[l].next(run); bytes += run.bytes) {
      take(run, messages[l].rank);
      if (keeps) far.runs.push_back(run);
    }
    if (keeps) far.bytes.push_back(bytes);
  }
  if (!own) take_own();
  table.covered_of_round.push_back(table.covered.size());
  bits.append_set(table.covered);
  return counts.empty() ? 1 : *std::max_element(counts.begin(), counts.end());
}

void RunExchange::read_messages(const std::vector<Packet> &messages) {
  RunTable &table = *table_;
  const auto ranks = static_cast<size_t>(context().comm.size());
  table.far.assign(ranks, {});
  lost_.assign(ranks, {});
  share_ = writes_ && table.own.share_cells;
  depth_ = 1;
  if (table.own_sink < 0) return;
  std::vector<RunMessageReader> readers;
  for (const Packet &message : messages) readers.emplace_back(message.bytes, unit_);
  for (int round = 0; round < table.plan->rounds(); ++round) depth_ = std::max(depth_, enter(round, readers, messages));
  table.covered_of_round.push_back(table.covered.size());
  for (RunsOfRank &far : table.far)
    if (!far.first.empty()) far.first.push_back(far.runs.size());
}

/// How many bytes of each slice they bring.
void RunExchange::count_neighbours() {
  table_->near.assign(static_cast<size_t>(context().comm.size()), {});
  const auto sinks = static_cast<int>(table_->plan->stretches().size());
  for (const int rank : context().node.ranks())
    for (int s = 0; s < sinks; ++s)
      for (int round = 0; round < table_->plan->rounds(); ++round) {
        int64_t &all = table_->near[static_cast<size_t>(rank)].emplace_back(0);
        for_lines(rank, s, round, [&all](int64_t, int64_t bytes) { all += bytes; });
      }
}

/// Neighbours exchange them.
void RunExchange::send_to_neighbours() {
  RunTable &table = *table_;
  table.near.assign(static_cast<size_t>(context().comm.size()), {});
  std::vector<int64_t> &mine = table.near[static_cast<size_t>(context().rank())];
  for (const RunTable::InSlice &each : table.slices) mine.push_back(each.bytes);
  if (context().topology().nodes() == 1) return;
  std::vector<Packet> messages;
  for (const int rank : context().node.ranks())
    if (rank != context().rank()) messages.push_back(packet_of<int64_t>(rank, mine));
  for (const Packet &message : context().comm.exchange(messages))
    table.near[static_cast<size_t>(message.rank)] = values_in<int64_t>(message);
}

/// Where each rank reads by itself, in bounded memory: no run is longer than that.
void RunExchange::cut_for_reading() {
  constexpr int64_t most_bytes = 1 << 20;
  std::vector<int64_t> places;
  for (const OwnRun &run : table_->own.runs)
    for (int64_t at = run.offset_bytes + most_bytes, end = table_->own.end_of(run); at < end; at += most_bytes)
      places.push_back(at);
  std::sort(places.begin(), places.end());
  cut(table_->own, places);
}

/// Names those that share cells, and leaves them out.
void RunExchange::refuse() {
  const auto in_words = [](int place, int rank) {
    return "request " + std::to_string(place + 1) + " of rank " + std::to_string(rank);
  };
  std::set<std::pair<int, int>> named;
  const auto enter = [&](int rank, int request, int place, const SharedCells &why) {
    if (!named.insert({rank, request}).second) return;
    fields_.refused.push_back({rank, request,
                               in_words(place, rank) + " puts cells of " + file_.name_of(why.variable) + ", " +
                                   first_cell(file_, why) + " and maybe more, that " +
                                   in_words(why.other_place, why.other_rank) + " puts too"});
    if (rank == context().rank()) left_out_[static_cast<size_t>(request)] = true;
  };
  const std::vector<SharedCells> all = shared_cells(file_, *table_, list_.places);
  for (const SharedCells &each : all) enter(each.rank, each.request, each.place, each);
  // Of copies of the same values, all or none.
  for (const SharedCells &each : all) {
    const std::vector<WholeRequest> &theirs = whole_[static_cast<size_t>(each.rank)];
    const auto found = std::find_if(theirs.begin(), theirs.end(),
                                    [&](const WholeRequest &one) { return one.request == each.request; });
    if (found == theirs.end() || found->replicated == 0) continue;
    for (int rank = 0; rank < context().comm.size(); ++rank)
      for (const WholeRequest &one : whole_[static_cast<size_t>(rank)])
        if (one.replicated != 0 && one.variable == found->variable && one.record == found->record)
          enter(rank, static_cast<int>(one.request), static_cast<int>(one.place), each);
  }
}

bool RunExchange::shares() {
  const bool allowed = file_.settings().overlap == Overlap::allow;
  const SharingVote mine{.share = share_, .depth = depth_};
  const SharingVote agreed = context().agree(list_.call + ", brought together", std::nullopt, mine);
  if (!writes_ && agreed.depth > 1 && fields_.bands.front().claims->depth() < agreed.depth) {
    depth_ = agreed.depth;
    return true;  // with more room for messages
  }
  if (!writes_ || !agreed.share) return false;
  if (!allowed) {
    refuse();
    return true;
  }
  leave_out(table_->own, lost_ranges(file_, lost_));
  return true;
}

void RunExchange::run(bool whole, OwnLines own) {
  if (whole) {
    hear_of_whole();
  } else {
    whole_.resize(static_cast<size_t>(context().comm.size()));
    gathered_ = std::move(own.of_all);
  }
  if (list_.alike) keep_common();
  if (writes_) keep_one_copy();
  OwnRuns runs = whole ? runs_left() : std::move(own.runs);
  while (!make_table(std::move(runs))) runs = writes_ && !later_wins(list_) ? runs_left() : std::move(table_->own);
  fields_.table = std::move(table_);
}

/// This rank's runs without the requests that are left out.
OwnRuns RunExchange::runs_left() const { return runs_of(file_, list_.mine, left_out_, later_wins(list_)); }

/// Collective. Makes the table of these runs. False: ranks share cells, and the table must be made again, of the rest,
/// or with more room for messages.
bool RunExchange::make_table(OwnRuns runs) {
  table_ = std::make_shared<RunTable>();
  table_->own = std::move(runs);
  line_up(depth_);
  if (table_->plan == nullptr) {
    cut_for_reading();
    return true;
  }
  if (are_complete(lines_)) {  // each rank computes the others' runs from their lines, which share no cells
    read_messages(messages_from_lines());
    count_neighbours();
    table_->long_lines = long_lines(file_, lines_);
    return true;
  }
  read_messages(context().comm.exchange(messages()));
  if (shares()) return false;
  send_to_neighbours();
  return true;
}

}  // namespace

OwnLines own_lines(const RequestList &list) {
  const std::vector<bool> none(list.mine.size(), false);
  OwnLines own{runs_of(list.file, list.mine, none, later_wins(list)), {}};
  own.lines = lines_of(list.file, own.runs);
  return own;
}

void exchange_runs(AskedFields &fields, bool whole, OwnLines own) { RunExchange(fields).run(whole, std::move(own)); }

}  // namespace sv
