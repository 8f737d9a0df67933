#include "transport/gate_tree.hpp"

#include <algorithm>
#include <utility>

namespace sv {

namespace {

constexpr int fan_out = 32;         // children of a leader
constexpr int32_t still_here = -1;  // as a Ballot's status: its sender has come, but awaits others

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

void GateTree::enter(TreeVisit visit) {
  visit_ = std::move(visit);
  noticed_ = visit_.begun;
  voted_ = false;
  owes_ = node_.local_rank() == 0;
  may_be_asked_ = visit_.action != nullptr && visit_.action->rank == node_.rank() && node_.rank() != leader(0);
}

AllEnclosed GateTree::all_enclosed() const {
  std::byte *const first = reinterpret_cast<std::byte *>(&node_.slot(node_.size()));
  return {first + visit_.gate % 2 * AllEnclosed::bytes(node_.topology().ranks()), node_.topology().ranks()};
}

std::vector<int> GateTree::children() const {
  std::vector<int> leaders;
  const int first = node_.index() * fan_out + 1, end = std::min(node_.topology().nodes(), first + fan_out);
  for (int node = first; node < end; ++node) leaders.push_back(leader(node));
  return leaders;
}

void GateTree::report_still_here() {
  if (!owes_ || !Deadline(node_.watchdog_seconds() * notice_interval, noticed_).passed()) return;
  noticed_ = moment_now();
  Ballot notice = node_.slot(node_.local_rank()).ballot;
  notice.status = still_here;
  if (node_.index() > 0 && !voted_) messages_.send(notice, leader((node_.index() - 1) / fan_out));
  for (const int child : children()) messages_.send(notice, child);
}

bool GateTree::complete(MPI_Request &request, const Deadline &deadline) {
  for (YieldBackoff rest; !is_done(request); rest()) {
    if (deadline.passed()) return false;
    node_.waits();
    report_still_here();
    serve_root();
  }
  return true;
}

void GateTree::finish() {
  for (MPI_Request &request : messages_.sending()) complete(request, Deadline(node_.watchdog_seconds()));
  messages_.forget_sent();
}

std::optional<Ballot> GateTree::hear(int rank, double limit_share) {
  const double limit_seconds = node_.watchdog_seconds() * limit_share;
  for (Moment from = visit_.begun;; from = moment_now()) {
    MPI_Request request = messages_.receive(rank);
    if (!complete(request, Deadline(limit_seconds, from)) && is_cancelled(request)) return std::nullopt;
    const Ballot ballot = messages_.received();
    if (ballot.status == still_here) {
      node_.progress().count();  // the others of this node wait for its leader, which waits with reason
      continue;
    }
    messages_.take_received();
    return ballot;
  }
}

std::optional<Ballot> GateTree::hear_of_deed(int rank) {
  MPI_Request request = messages_.receive(rank, true);
  if (!complete(request, Deadline(node_.watchdog_seconds())) && is_cancelled(request)) return std::nullopt;
  messages_.take_received(true);
  return messages_.received(true);
}

/// The data of this node's ranks for others.
void GateTree::pack_here() {
  for (int r = 0; r < node_.size(); ++r) {
    const GatePayload &enclosed = node_.slot(r).enclosures[(visit_.gate - 1) % 2];
    messages_.enclosed.add(node_.ranks()[static_cast<size_t>(r)],
                           std::span(enclosed.data).first(static_cast<size_t>(enclosed.bytes)));
  }
  if (visit_.action != nullptr) messages_.sent.add(node_.index(), visit_.action->sent);
}

void GateTree::exchange(Ballot &ballot, bool all_here) {
  messages_.clear();
  if (all_here) pack_here();
  const auto absent = [this](int rank) { return absence(node_, std::to_string(rank), rank); };
  // The deeper in the tree, the earlier a child is given up, so that its name can still travel up.
  double patience = 0.85;
  for (int node = node_.index(); node > 0; node = (node - 1) / fan_out) patience -= 0.03;
  for (const int child : children()) merge(ballot, hear(child, patience).value_or(absent(child)));
  if (node_.index() > 0) {
    const int parent = leader((node_.index() - 1) / fan_out);
    voted_ = true;
    messages_.send_all(ballot, {parent});
    messages_.enclosed.clear();  // they come back with those of all
    // While it carries out an action, a parent sends no notices.
    const std::optional<Ballot> verdict = hear(parent, visit_.action == nullptr ? 0.95 : 1.95);
    ballot = verdict.value_or(absent(parent));
    messages_.sent.clear();
    // A rank that was only late has its ballot already, and enters the next gate: there it learns the reason.
    if (!verdict) messages_.send_all(ballot, {parent});
  } else {
    have_done(ballot);
  }
  messages_.sent.clear();
  if (const std::vector<int> below = children(); !below.empty()) messages_.send_all(ballot, below);
  all_enclosed().set(visit_.gate, messages_.enclosed);
  owes_ = false;
}

/// On the root of the tree, where all have come: the action is carried out, here or by the rank that receives its data.
void GateTree::have_done(Ballot &ballot) {
  if (ballot.status != 0 || ballot.doer < 0 || ballot.doer == node_.rank()) {
    messages_.sort_sent();
    return visit_.act(ballot);
  }
  const int doer = ballot.doer;
  messages_.send_deed(ballot, doer);
  messages_.sent.clear();
  ballot = hear_of_deed(doer).value_or(absence(node_, std::to_string(doer), doer));
}

void GateTree::serve_root() {
  const int root = leader(0);
  if (!may_be_asked_ || !messages_.has_deed(root)) return;
  may_be_asked_ = false;
  messages_.sent.clear();
  std::optional<Ballot> asked = hear_of_deed(root);
  if (!asked) return;
  messages_.sort_sent();
  visit_.act(*asked);
  messages_.sent.clear();
  messages_.send_deed(*asked, root);
}

}  // namespace sv
