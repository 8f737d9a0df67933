#include "transport/gate.hpp"

#include <sched.h>

#include <algorithm>

namespace sv {

namespace {

constexpr int fan_out = 32;  // children of a node leader in the tree
constexpr int tag = 1;
constexpr int32_t still_here = -1;  // as a Ballot's status: its sender has come, but awaits others
constexpr double first_look = 0.2;  // of the limit: after it, who waits tells its neighbours so

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
  if (ballot.status == 0 && other.status == 0 && ballot.signature != other.signature) {
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

}  // namespace

uint64_t signature_of(const std::string &text) {
  uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

void Gate::enter(const Ballot &mine) {
  Slot &slot = node_.slot(node_.local_rank());
  slot.ballot = mine;
  slot.entered.store(passed_ + 1, std::memory_order_release);
}

Ballot Gate::collect_node() const {
  Ballot ballot = node_.slot(0).ballot;
  for (int r = 1; r < node_.size(); ++r) merge(ballot, node_.slot(r).ballot);
  return ballot;
}

std::string Gate::missing_here() const {
  std::string missing;
  for (int r = 0; r < node_.size(); ++r)
    if (!reached(node_.slot(r).entered.load(std::memory_order_acquire), passed_ + 1))
      missing += (missing.empty() ? "" : ", ") + std::to_string(node_.ranks()[static_cast<size_t>(r)]);
  return missing;
}

// All waits of a gate end at shares of one limit, counted from when this rank entered it.
Deadline Gate::deadline(double limit_share) const { return Deadline(node_.watchdog_seconds() * limit_share, begun_); }

Ballot Gate::absence(const std::string &whom, int rank) const {
  Ballot ballot = node_.slot(node_.local_rank()).ballot;
  const Error error(Status::timeout,
                    "the watchdog gave up: " + std::string(ballot.call) + " awaited " + whom + " for " +
                        std::to_string(static_cast<int>(node_.watchdog_seconds())) + " s",
                    "See what these ranks do instead of the call; 'watchdog' sets the limit");
  ballot.status = static_cast<int32_t>(Status::timeout);
  ballot.rank = rank;
  copy_text(ballot.text, text_bytes, error.what());
  return ballot;
}

bool Gate::complete(MPI_Request &request, double limit_share) const {
  const Deadline end = deadline(limit_share);
  for (int done = 0;; sched_yield()) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return true;
    if (end.passed()) return false;
  }
}

// The ballot lies in the node's memory: should nobody ever take it, it stays there for good.
bool Gate::send(const Ballot &ballot, int rank) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(&ballot, sizeof ballot, MPI_BYTE, rank, tag, node_.comm().get(), &request), "MPI_Isend");
  return complete(request, 0.95);
}

std::optional<Ballot> Gate::receive(int rank, double limit_share) {
  MPI_Request request = MPI_REQUEST_NULL;
  Ballot ballot;
  check_mpi(MPI_Irecv(&ballot, sizeof ballot, MPI_BYTE, rank, tag, node_.comm().get(), &request), "MPI_Irecv");
  if (complete(request, limit_share)) return ballot;
  check_mpi(MPI_Cancel(&request), "MPI_Cancel");
  MPI_Status status;
  check_mpi(MPI_Wait(&request, &status), "MPI_Wait");
  int cancelled = 0;
  check_mpi(MPI_Test_cancelled(&status, &cancelled), "MPI_Test_cancelled");
  if (cancelled != 0) return std::nullopt;
  return ballot;
}

void Gate::exchange_tree(Ballot &ballot) {
  const int me = node_.index(), nodes = node_.topology().nodes();
  const auto leader = [this](int node) { return node_.topology().ranks_of[static_cast<size_t>(node)].front(); };
  const auto absent = [this](int rank) { return absence("rank(s) " + std::to_string(rank), rank); };
  const int parent = leader(std::max(0, (me - 1) / fan_out));
  const int first_child = me * fan_out + 1, end_child = std::min(nodes, first_child + fan_out);
  // The deeper in the tree, the earlier a child is given up, so that its name can still travel up.
  double patience = 0.85;
  for (int node = me; node > 0; node = (node - 1) / fan_out) patience -= 0.03;
  for (int child = first_child; child < end_child; ++child)
    merge(ballot, receive(leader(child), patience).value_or(absent(leader(child))));
  Control &shared = node_.control();
  if (me > 0) {
    shared.upward = ballot;
    std::optional<Ballot> verdict;
    if (send(shared.upward, parent)) verdict = receive(parent, 0.95);
    ballot = verdict.value_or(absent(parent));
  }
  shared.downward = ballot;
  for (int child = first_child; child < end_child; ++child) send(shared.downward, leader(child));
}

void Gate::lead(uint32_t everybody) {
  Control &shared = node_.control();
  const std::string missing = node_.wait(shared.entered, everybody, deadline(0.75)) ? "" : missing_here();
  Ballot ballot = missing.empty() ? collect_node() : absence("rank(s) " + missing, std::stoi(missing));
  if (node_.topology().nodes() > 1) exchange_tree(ballot);
  shared.verdict = ballot;
  if (has_timed_out(ballot)) node_.poison(Status::timeout, ballot.text);
  shared.released.store(passed_ + 1, std::memory_order_release);
  wake_all(shared.released);
}

Agreed Gate::agree(uint64_t signature, const std::string &call, const Error *error, const Agreed &values) {
  node_.check_poison();
  begun_ = moment_now();
  Ballot mine;
  mine.signature = signature;
  mine.rank = node_.rank();
  mine.value = values;
  copy_text(mine.call, call_bytes, call);
  if (error != nullptr) {
    mine.status = static_cast<int32_t>(error->status());
    copy_text(mine.text, text_bytes, error->what());
  }
  enter(mine);
  Control &shared = node_.control();
  const uint32_t everybody = (passed_ + 1) * static_cast<uint32_t>(node_.size());
  const bool last = shared.entered.fetch_add(1, std::memory_order_acq_rel) + 1 == everybody;
  if (last) wake_all(shared.entered);
  // On one node the last to come leads: nobody waits for one certain rank to be scheduled.
  const bool one_node = node_.topology().nodes() == 1;
  if (one_node ? last : node_.local_rank() == 0) {
    lead(everybody);
  } else if (!node_.wait(shared.released, passed_ + 1, deadline(1.0))) {
    const std::string missing = missing_here();
    node_.give_up(Error::told(
        Status::timeout,
        absence(missing.empty() ? "ranks of other nodes" : "rank(s) " + missing, node_.rank()).text));
  }
  ++passed_;
  const Ballot &verdict = shared.verdict;
  if (verdict.status != 0) throw Error::told(static_cast<Status>(verdict.status), verdict.text);
  return verdict.value;
}

}  // namespace sv
