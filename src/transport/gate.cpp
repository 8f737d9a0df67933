#include "transport/gate.hpp"

#include <algorithm>
#include <utility>

#include "transport/all_enclosed.hpp"

namespace sv {

namespace {

constexpr double most_of_deed = 0.9;  // of the limit: beyond this, other nodes may have given up

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
  GatePayload &mine = node_.slot(node_.local_rank()).enclosures[passed_ % 2];
  mine.bytes = carries(enclosed.size()) ? static_cast<int32_t>(enclosed.size()) : 0;
  std::copy_n(enclosed.begin(), mine.bytes, mine.data.begin());
}

std::span<const std::byte> Gate::enclosed_by(int rank) const {
  if (node_.topology().nodes() > 1) return tree_.enclosed_by(rank);
  const GatePayload &enclosed = node_.slot(rank).enclosures[(passed_ - 1) % 2];
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

/// All have come: the action's rank carries it out, if they agree.
void Gate::act(Ballot &ballot) {
  if (ballot.status != 0 || ballot.doer != node_.rank()) return;
  const Deadline limit(node_.topology().nodes() == 1 ? 0 : node_.watchdog_seconds() * most_of_deed);
  ballot.done = 1;
  last_ = ballot.value;
  const auto failed = caught(node_.rank(), deed_->action);
  node_.check_poison();  // a rank that was awaited too long reports no success
  if (limit.passed()) {
    ballot = absence(node_, std::to_string(node_.rank()), node_.rank());
    return;
  }
  if (!failed) return;
  ballot.status = static_cast<int32_t>(failed->status());
  ballot.rank = node_.rank();
  ballot.text = failed->what();
}

void Gate::reach(Counter &counter) const {
  counter.value.store(passed_ + 1, std::memory_order_release);
  wake_all(counter);
}

/// On one node, if no rank waits for a certain rank to be scheduled, except one with an action: the last to come
/// collects the ballots, and does all the rest if no other rank has to act. False: some rank was awaited too long.
bool Gate::meet_here(bool last) {
  Control &shared = node_.control();
  Patience patience(node_, Deadline(node_.watchdog_seconds(), begun_));
  Ballot &verdict = shared.verdict;
  bool leads = last;
  if (last) {
    verdict = collect_node();
    leads = verdict.status != 0 || verdict.doer < 0 || verdict.doer == node_.rank();
    reach(shared.collected);
  } else if (deed_ != nullptr && deed_->rank == node_.rank()) {
    leads = patience.wait(shared.collected, passed_ + 1) && verdict.status == 0;
  }
  if (leads) {
    act(verdict);
    reach(shared.released);
    return true;
  }
  if (patience.wait(shared.released, passed_ + 1)) return true;
  // A deed may take long.
  return reached(shared.collected.now(), passed_ + 1) && Patience(node_).wait(shared.released, passed_ + 1);
}

void Gate::lead() {
  Control &shared = node_.control();
  const auto all_come_within = [&](double share) {
    return node_.wait(shared.entered, all_entered(), Deadline(node_.watchdog_seconds() * share, begun_));
  };
  constexpr double patience = 0.75;
  uint64_t seen = node_.progress().now();
  for (double share = notice_interval; share < patience && !all_come_within(share); share += notice_interval) {
    tree_.report_still_here();
    if (const uint64_t now = node_.progress().now(); now != std::exchange(seen, now)) {
      begun_ = moment_now();
      tree_.begin_again(begun_);
      share = 0;
    }
  }
  const std::string missing = all_come_within(patience) ? "" : missing_here();
  Ballot ballot = missing.empty() ? collect_node() : absence(node_, missing, std::stoi(missing));
  tree_.exchange(ballot, missing.empty());
  shared.verdict = ballot;
  if (has_timed_out(ballot)) node_.poison(Status::timeout, ballot.text.text());
  reach(shared.released);
  if (!has_timed_out(ballot)) tree_.finish();
}

/// On a rank that does not lead: returns when the verdict is there. False when the deadline passed.
bool Gate::await_release(Patience patience) {
  Counter &released = node_.control().released;
  for (YieldBackoff rest; tree_.may_be_asked() && !node_.has_reached(released, passed_ + 1); rest()) {
    if (patience.passed()) return false;
    node_.waits();
    tree_.serve_root();
  }
  if (!patience.wait(released, passed_ + 1)) return false;
  tree_.finish();
  return true;
}

/// Between nodes, where the first rank of each leads. False: some rank was awaited too long.
bool Gate::meet_in_tree(bool last) {
  Control &shared = node_.control();
  if (last) wake_all(shared.entered);
  if (node_.local_rank() == 0) {
    lead();
    return true;
  }
  if (await_release(Patience(node_, Deadline(node_.watchdog_seconds(), begun_)))) return true;
  // A leader that came late gives up by itself, and knows about other nodes.
  return is_here(0) && await_release(Patience(node_));
}

Agreed Gate::agree_alone(const Error *error, const GateInput &brought) {
  keep(brought.enclosed);
  ++passed_;
  last_ = brought.values;
  about_ = error == nullptr ? 0 : brought.about;
  if (error != nullptr) throw Error::from_remote(error->status(), error->what());
  if (deed_ == nullptr) return last_;
  const auto failed = caught(node_.rank(), deed_->action);
  deed_failed_ = failed.has_value();
  if (failed) throw Error::from_remote(failed->status(), failed->what());
  return last_;
}

Agreed Gate::agree(uint64_t signature, const std::string &call, const Error *error, const GateInput &brought) {
  last_ = {};
  about_ = 0;
  deed_ = brought.action;
  deed_failed_ = false;
  node_.check_poison();
  if (is_of_one()) return agree_alone(error, brought);
  begun_ = moment_now();
  tree_.enter({passed_ + 1, begun_, deed_, [this](Ballot &ballot) { act(ballot); }});
  Ballot mine;
  mine.signature = signature;
  mine.rank = node_.rank();
  mine.value = brought.values;
  if (deed_ != nullptr) mine.doer = deed_->rank;
  mine.call = call;
  if (error != nullptr) {
    mine.status = static_cast<int32_t>(error->status());
    mine.about = brought.about;
    mine.text = error->what();
  }
  enter(mine, brought.enclosed);
  Control &shared = node_.control();
  const bool last = shared.entered.value.fetch_add(1, std::memory_order_acq_rel) + 1 == all_entered();
  const bool one_node = node_.topology().nodes() == 1;
  if (!(one_node ? meet_here(last) : meet_in_tree(last))) {
    const std::string missing = missing_here();
    // Where all of them have come, the first one is stuck: it would have given up other nodes.
    const int stuck = one_node ? shared.verdict.doer : node_.ranks().front();
    const std::string whom = missing.empty() ? std::to_string(stuck) : missing;
    node_.give_up(Error::from_remote(Status::timeout, absence(node_, whom, node_.rank()).text.text()));
  }
  ++passed_;
  const Ballot &verdict = shared.verdict;
  last_ = verdict.value;
  about_ = verdict.about;
  deed_failed_ = verdict.status != 0 && verdict.done != 0;
  if (verdict.status != 0) throw Error::from_remote(static_cast<Status>(verdict.status), verdict.text.text());
  return verdict.value;
}

}  // namespace sv
