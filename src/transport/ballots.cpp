#include "transport/ballots.hpp"

#include <algorithm>

namespace sv {

bool has_timed_out(const Ballot &ballot) { return ballot.status == static_cast<int32_t>(Status::timeout); }

namespace {

/// Whether the error of `other` counts. A missing rank outranks all else, for then no call can work any more; otherwise
/// the lowest rank's error counts.
bool outranks(const Ballot &other, const Ballot &ballot) {
  if (other.status == 0 || ballot.status == 0) return other.status != 0;
  if (has_timed_out(other) != has_timed_out(ballot)) return has_timed_out(other);
  return other.rank < ballot.rank;
}

}  // namespace

void merge(Ballot &ballot, const Ballot &other) {
  for (size_t i = 0; i < ballot.value.size(); ++i) ballot.value[i] = std::max(ballot.value[i], other.value[i]);
  if (ballot.status == 0 && other.status == 0 && (ballot.signature != other.signature || ballot.doer != other.doer)) {
    ballot.status = static_cast<int32_t>(Status::ranks);
    const Error error(Status::ranks,
                      "ranks made different calls: rank " + std::to_string(ballot.rank) + " called " +
                          ballot.call.text() + ", rank " + std::to_string(other.rank) + " called " + other.call.text(),
                      "Collective calls must be made by every rank, with the same file, variable, record and "
                      "definitions, in the same order");
    ballot.text = error.what();
  } else if (outranks(other, ballot)) {
    const Agreed values = ballot.value;
    ballot = other;
    ballot.value = values;
  }
}

Ballot absence(const Node &node, const std::string &ranks, int rank) {
  Ballot ballot = node.slot(node.local_rank()).ballot;
  const Error error(Status::timeout,
                    "the watchdog gave up: " + std::string(ballot.call.text()) + " awaited rank(s) " + ranks + " for " +
                        std::to_string(static_cast<int>(node.watchdog_seconds())) + " s",
                    "See what these ranks do instead of the call; 'watchdog' sets the limit");
  ballot.status = static_cast<int32_t>(Status::timeout);
  ballot.rank = rank;
  ballot.about = 0;
  ballot.text = error.what();
  return ballot;
}

}  // namespace sv
