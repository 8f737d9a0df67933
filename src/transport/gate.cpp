#include "transport/gate.hpp"

#include <algorithm>

#include "transport/all_enclosed.hpp"

namespace sv {

namespace {

constexpr int fan_out = 32;               // children of a node leader in the tree
constexpr int32_t still_here = -1;        // as a Ballot's status: its sender has come, but awaits others
constexpr double notice_interval = 0.05;  // of the limit: so often, who waits tells its neighbours so

bool has_timed_out(const Ballot &ballot) { return ballot.status == static_cast<int32_t>(Status::timeout); }

/// Whether the error of `other` is the one to tell. A rank that is missing outranks all else, for then no call can work
/// any more; otherwise the lowest rank's error is told.
bool outranks(const Ballot &other, const Ballot &ballot) {
  if (other.status == 0 || ballot.status == 0) return other.status != 0;
  if (has_timed_out(other) != has_timed_out(ballot)) return has_timed_out(other);
  return other.rank < ballot.rank;
}

/// Merges what `other` brings into `ballot`.
void merge(Ballot &ballot, const Ballot &other) {
  for (size_t i = 0; i < ballot.value.size(); ++i) ballot.value[i] = std::max(ballot.value[i], other.value[i]);
  if (ballot.status == 0 && other.status == 0 && (ballot.signature != other.signature || ballot.doer != other.doer)) {
    ballot.status = static_cast<int32_t>(Status::order);
    const Error error(Status::order,
                      "ranks made different calls: rank " + std::to_string(ballot.rank) + " called " + ballot.call +
                          ", rank " + std::to_string(other.rank) + " called " + other.call,
                      "Collective calls must be made by every rank, with the same file, variable, record and "
                      "definitions, in the same order");
    copy_text(ballot.text, text_bytes, error.what());
  } else if (outranks(other, ballot)) {
    const Agreed values = ballot.value;
    ballot = other;
    ballot.value = values;
  }
}

/// What all ranks have told each other in the gates of even, or of odd numbers: it stands behind the slots.
AllEnclosed all_enclosed(const Node &node, uint32_t gate) {
  std::byte *const first = reinterpret_cast<std::byte *>(&node.slot(node.size()));
  return {first + gate % 2 * AllEnclosed::bytes(node.topology().ranks()), node.topology().ranks()};
}

/// Cancels a receive. False when it was too late, and the ballot has come.
bool is_cancelled(MPI_Request &request) {
  MPI_Status status;
  int cancelled = 0;
  check_mpi(MPI_Cancel(&request), "MPI_Cancel");
  check_mpi(MPI_Wait(&request, &status), "MPI_Wait");
  check_mpi(MPI_Test_cancelled(&status, &cancelled), "MPI_Test_cancelled");
  return cancelled != 0;
}

}  // namespace

bool Gate::carries(size_t bytes) const {
  const Topology &topology = node_.topology();
  if (bytes > enclosure_bytes) return false;
  const int ranks = topology.ranks();
  return topology.nodes() == 1 ||
         (ranks <= AllEnclosed::most_ranks && static_cast<int64_t>(bytes) * ranks <= AllEnclosed::most_bytes);
}

void Gate::enter(const Ballot &mine, std::span<const std::byte> enclosed) {
  Slot &slot = node_.slot(node_.local_rank());
  slot.ballot = mine;
  keep(enclosed);
  slot.entered.store(passed_ + 1, std::memory_order_release);
}

void Gate::keep(std::span<const std::byte> enclosed) {
  Enclosure &mine = node_.slot(node_.local_rank()).enclosures[passed_ % 2];
  mine.bytes = carries(enclosed.size()) ? static_cast<int32_t>(enclosed.size()) : 0;
  std::copy_n(enclosed.begin(), mine.bytes, mine.data.begin());
}

std::span<const std::byte> Gate::enclosed_by(int rank) const {
  if (node_.topology().nodes() > 1) return all_enclosed(node_, passed_).by(rank, passed_);
  const Enclosure &enclosed = node_.slot(rank).enclosures[(passed_ - 1) % 2];
  return std::span(enclosed.data).first(static_cast<size_t>(enclosed.bytes));
}

Ballot Gate::collect_node() const {
  Ballot ballot = node_.slot(0).ballot;
  for (int r = 1; r < node_.size(); ++r) merge(ballot, node_.slot(r).ballot);
  return ballot;
}

bool Gate::is_here(int local_rank) const {
  return reached(node_.slot(local_rank).entered.load(std::memory_order_acquire), passed_ + 1);
}

std::string Gate::missing_here() const {
  std::string missing;
  for (int r = 0; r < node_.size(); ++r)
    if (!is_here(r)) missing += (missing.empty() ? "" : ", ") + std::to_string(node_.ranks()[static_cast<size_t>(r)]);
  return missing;
}

Ballot Gate::absence(const std::string &whom, int rank) const {
  Ballot ballot = node_.slot(node_.local_rank()).ballot;
  const Error error(Status::timeout,
                    "the watchdog gave up: " + std::string(ballot.call) + " awaited " + whom + " for " +
                        std::to_string(static_cast<int>(node_.watchdog_seconds())) + " s",
                    "See what these ranks do instead of the call; 'watchdog' sets the limit");
  ballot.status = static_cast<int32_t>(Status::timeout);
  ballot.rank = rank;
  ballot.about = 0;
  copy_text(ballot.text, text_bytes, error.what());
  return ballot;
}

std::vector<int> Gate::children() const {
  std::vector<int> leaders;
  const int first = node_.index() * fan_out + 1, end = std::min(node_.topology().nodes(), first + fan_out);
  for (int node = first; node < end; ++node) leaders.push_back(forwarder(node_.topology(), node));
  return leaders;
}

void Gate::tell_still_here() {
  if (!owes_ || !Deadline(node_.watchdog_seconds() * notice_interval, noticed_).passed()) return;
  noticed_ = moment_now();
  Ballot &notice = node_.control().notice;
  notice = node_.slot(node_.local_rank()).ballot;
  notice.status = still_here;
  if (node_.index() > 0 && !voted_) messages_.send(notice, forwarder(node_.topology(), (node_.index() - 1) / fan_out));
  for (const int child : children()) messages_.send(notice, child);
}

bool Gate::complete(MPI_Request &request, const Deadline &deadline) {
  for (Rest rest; !is_done(request); rest()) {
    if (deadline.passed()) return false;
    node_.waits();
    tell_still_here();
  }
  return true;
}

std::optional<Ballot> Gate::hear(int rank, double limit_share) {
  const double limit_seconds = node_.watchdog_seconds() * limit_share;
  for (Moment from = begun_;; from = moment_now()) {
    MPI_Request request = messages_.receive(rank);
    if (!complete(request, Deadline(limit_seconds, from)) && is_cancelled(request)) return std::nullopt;
    const Ballot ballot = messages_.received();
    if (ballot.status == still_here) continue;
    messages_.take_received();
    return ballot;
  }
}

/// What the ranks of this node have for others.
void Gate::pack_here() {
  for (int r = 0; r < node_.size(); ++r) {
    const Enclosure &enclosed = node_.slot(r).enclosures[passed_ % 2];
    messages_.enclosed.add(node_.ranks()[static_cast<size_t>(r)],
                           std::span(enclosed.data).first(static_cast<size_t>(enclosed.bytes)));
  }
  if (deed_ != nullptr) messages_.sent.add(node_.index(), deed_->sent);
}

void Gate::exchange_tree(Ballot &ballot) {
  const auto absent = [this](int rank) { return absence("rank(s) " + std::to_string(rank), rank); };
  // The deeper in the tree, the earlier a child is given up, so that its name can still travel up.
  double patience = 0.85;
  for (int node = node_.index(); node > 0; node = (node - 1) / fan_out) patience -= 0.03;
  for (const int child : children()) merge(ballot, hear(child, patience).value_or(absent(child)));
  if (node_.index() > 0) {
    const int parent = forwarder(node_.topology(), (node_.index() - 1) / fan_out);
    voted_ = true;
    messages_.send_all(ballot, {parent});
    messages_.enclosed.clear();  // they come back with those of all
    ballot = hear(parent, 0.95).value_or(absent(parent));
  } else {
    messages_.sort_sent();
    act(ballot);
  }
  messages_.sent.clear();
  if (const std::vector<int> below = children(); !below.empty()) messages_.send_all(ballot, below);
  all_enclosed(node_, passed_ + 1).set(passed_ + 1, messages_.enclosed);
}

/// All have come: who is to do the deed does it, if they agree.
void Gate::act(Ballot &ballot) {
  if (ballot.status != 0 || ballot.doer != node_.rank()) return;
  ballot.done = 1;
  last_ = ballot.value;
  const auto failed = caught(node_.rank(), deed_->action);
  node_.check_poison();  // who was awaited too long has no success to tell
  if (!failed) return;
  ballot.status = static_cast<int32_t>(failed->status());
  ballot.rank = node_.rank();
  copy_text(ballot.text, text_bytes, failed->what());
}

void Gate::reach(Counter &counter) const {
  counter.value.store(passed_ + 1, std::memory_order_release);
  wake_all(counter);
}

/// On one node, where nobody waits for a certain rank to be scheduled, unless that has a deed to do: the last to come
/// collects the ballots, and does all the rest where no other rank has to act. False: some rank was awaited too long.
bool Gate::meet_here(bool last) {
  Control &shared = node_.control();
  const Deadline deadline(node_.watchdog_seconds(), begun_);
  Ballot &verdict = shared.verdict;
  bool leads = last;
  if (last) {
    verdict = collect_node();
    leads = verdict.status != 0 || verdict.doer < 0 || verdict.doer == node_.rank();
    reach(shared.collected);
  } else if (deed_ != nullptr && deed_->rank == node_.rank()) {
    leads = node_.wait(shared.collected, passed_ + 1, deadline) && verdict.status == 0;
  }
  if (leads) {
    act(verdict);
    reach(shared.released);
    return true;
  }
  if (node_.wait(shared.released, passed_ + 1, deadline)) return true;
  // A deed may take long.
  return reached(shared.collected.now(), passed_ + 1) &&
         node_.wait(shared.released, passed_ + 1, Deadline(node_.watchdog_seconds()));
}

void Gate::lead() {
  Control &shared = node_.control();
  const auto all_come_within = [&](double share) {
    return node_.wait(shared.entered, all_entered(), Deadline(node_.watchdog_seconds() * share, begun_));
  };
  constexpr double patience = 0.75;
  for (double share = notice_interval; share < patience && !all_come_within(share); share += notice_interval)
    tell_still_here();
  const std::string missing = all_come_within(patience) ? "" : missing_here();
  messages_.clear();
  if (missing.empty()) pack_here();
  Ballot ballot = missing.empty() ? collect_node() : absence("rank(s) " + missing, std::stoi(missing));
  exchange_tree(ballot);
  shared.verdict = ballot;
  if (has_timed_out(ballot)) node_.poison(Status::timeout, ballot.text);
  owes_ = false;
  reach(shared.released);
  if (has_timed_out(ballot)) return;
  for (MPI_Request &request : messages_.sending()) complete(request, Deadline(node_.watchdog_seconds()));
  messages_.forget_sent();
}

/// Between nodes, where the first rank of each leads. False: some rank was awaited too long.
bool Gate::meet_in_tree(bool last) {
  Control &shared = node_.control();
  if (last) wake_all(shared.entered);
  if (node_.local_rank() == 0) {
    lead();
    return true;
  }
  if (node_.wait(shared.released, passed_ + 1, Deadline(node_.watchdog_seconds(), begun_))) return true;
  // A leader that came late gives up by itself, and knows about other nodes.
  return is_here(0) && node_.wait(shared.released, passed_ + 1, Deadline(node_.watchdog_seconds()));
}

bool Gate::can_act(int rank) const { return node_.topology().nodes() == 1 || rank == forwarder(node_.topology(), 0); }

Agreed Gate::agree_alone(const Error *error, const Brought &brought) {
  keep(brought.enclosed);
  ++passed_;
  last_ = brought.values;
  about_ = error == nullptr ? 0 : brought.about;
  if (error != nullptr) throw Error::told(error->status(), error->what());
  if (deed_ == nullptr) return last_;
  const auto failed = caught(node_.rank(), deed_->action);
  deed_failed_ = failed.has_value();
  if (failed) throw Error::told(failed->status(), failed->what());
  return last_;
}

Agreed Gate::agree(uint64_t signature, const std::string &call, const Error *error, const Brought &brought) {
  last_ = {};
  about_ = 0;
  deed_ = brought.deed;
  deed_failed_ = false;
  node_.check_poison();
  if (is_of_one()) return agree_alone(error, brought);
  begun_ = noticed_ = moment_now();
  voted_ = false;
  owes_ = true;
  Ballot mine;
  mine.signature = signature;
  mine.rank = node_.rank();
  mine.value = brought.values;
  if (deed_ != nullptr) mine.doer = deed_->rank;
  copy_text(mine.call, call_bytes, call);
  if (error != nullptr) {
    mine.status = static_cast<int32_t>(error->status());
    mine.about = brought.about;
    copy_text(mine.text, text_bytes, error->what());
  }
  enter(mine, brought.enclosed);
  Control &shared = node_.control();
  const bool last = shared.entered.value.fetch_add(1, std::memory_order_acq_rel) + 1 == all_entered();
  const bool one_node = node_.topology().nodes() == 1;
  if (!(one_node ? meet_here(last) : meet_in_tree(last))) {
    const std::string missing = missing_here();
    const std::string whom = !missing.empty() ? "rank(s) " + missing
                             : one_node       ? "rank(s) " + std::to_string(shared.verdict.doer)
                                              : "ranks of other nodes";
    node_.give_up(Error::told(Status::timeout, absence(whom, node_.rank()).text));
  }
  ++passed_;
  const Ballot &verdict = shared.verdict;
  last_ = verdict.value;
  about_ = verdict.about;
  deed_failed_ = verdict.status != 0 && verdict.done != 0;
  if (verdict.status != 0) throw Error::told(static_cast<Status>(verdict.status), verdict.text);
  return verdict.value;
}

}  // namespace sv
