#include "transport/exchange.hpp"

#include <algorithm>

namespace sv {

namespace {
const char *const writers = "the writers of its node";
}

Exchange::Exchange(const Schedule &schedule, StagePlace place, Window &window, Transfers &transfers, SliceMemory *rooms)
    : schedule_(schedule),
      stage_(place),
      window_(window),
      node_(window.node()),
      transfers_(transfers),
      rooms_(rooms),
      sinks_(sinks_of(schedule, node_)) {
  if (forwarder(node_.topology(), node_.index()) == node_.rank()) forwarded_ = sinks_.remote.size();
  if (!prepares()) return;
  for (int half = 0; half < std::min(schedule.rounds(), window_halves); ++half) {
    transfers_.wait(state(half).freed, targets(half).freed, writers);
    prepare(half);  // a half's first round has its number
    targets(half).freed += sinks_.used();
    free_half(half, static_cast<uint32_t>(sinks_.own.size() + forwarded_));
  }
}

std::byte *Exchange::slice(int sink, int round) const {
  for (const Lent &each : lent_)
    if (each.sink == sink && each.round == round) return each.begin;
  std::byte *const begin = rooms_ == nullptr ? window_.slices(stage_, round % window_halves) : rooms_->begin(round);
  return begin + schedule_.slice_begin(sink, round);
}

std::byte *Exchange::incoming_at(int sink, int round) const {
  return window_.incoming(stage_, round % window_halves) + schedule_.slice_begin(sink, round);
}

int64_t Exchange::bytes_from(int node, int sink, int round) const {
  if (schedule_.is_at_home() && node != node_.index()) return 0;
  return bytes_of_node(schedule_, node_.topology(), {node, sink, round});
}

void Exchange::free_half(int half, uint32_t sinks) { advance(state(half).freed, sinks, targets(half).freed); }

void Exchange::place(int round, Source &source) {
  const int half = round % window_halves;
  transfers_.wait(state(half).freed, targets(half).freed, writers);
  targets(half).freed += sinks_.used();
  targets(half).arrived += static_cast<uint32_t>(node_.size());
  receive(round);
  for (const int s : sinks_.here) place_here(s, round, source);
  if (!sinks_.remote.empty()) place_remote(round, source);
  advance(state(half).arrived, 1, targets(half).arrived);
}

void Exchange::place_for_gate(Source &source) {
  constexpr int half = 0;
  for (int stage = 0; stage < window_stages; ++stage)  // of a file that is written behind, somebody may be behind still
    transfers_.wait(window_.state(stage, half).freed, window_.targets(stage, half).freed, writers);
  for (const int s : sinks_.here) place_here(s, half, source);
  if (!sinks_.remote.empty()) place_remote(half, source);
}

std::span<const std::byte> Exchange::sent() const {
  int64_t bytes = 0;
  if (forwarded_ > 0)
    for (const int s : sinks_.remote) bytes += bytes_from(node_.index(), s, 0);
  return {window_.outgoing(stage_, 0), static_cast<size_t>(bytes)};
}

void Exchange::take_sent(const Gate &gate) {
  const Topology &topology = node_.topology();
  for (int node = 0; node < topology.nodes(); ++node) {
    if (node == node_.index()) continue;
    const std::span<const std::byte> sent = gate.sent_by(node);
    int64_t expected = 0;
    for (const int s : sinks_.own) expected += bytes_from(node, s, 0);
    if (expected != std::ssize(sent))
      throw Error(Status::internal,
                  "node " + std::to_string(node) + " has sent " + std::to_string(sent.size()) + " bytes in place of " +
                      std::to_string(expected),
                  "Report this");
    const std::byte *from = sent.data();
    for (const int s : sinks_.own)
      if (bytes_from(node, s, 0) > 0) from = spread_body(schedule_, topology, {node, s, 0}, from, slice(s, 0));
  }
}

/// Bytes of a slice that belong to ranks of this node before this one.
int64_t Exchange::bytes_before(int sink, int round) const {
  int64_t bytes = 0;
  for (const int rank : node_.ranks())
    if (rank < node_.rank()) bytes += schedule_.bytes_of(rank, sink, round);
  return bytes;
}

void Exchange::place_here(int sink, int round, Source &source) {
  if (rooms_ == nullptr && schedule_.rank_of(sink) == node_.rank()) {
    const std::span<const std::byte> whole = source.whole(sink, round);
    if (!whole.empty()) {
      lent_.push_back({sink, round, const_cast<std::byte *>(whole.data())});  // it is only read
      placed_bytes_ += std::ssize(whole);
      return;
    }
  }
  std::byte *const to = slice(sink, round);
  placed_bytes_ += in_parts() ? source.put(sink, round, Form::compact, to + bytes_before(sink, round))
                              : source.put(sink, round, Form::in_place, to);
}

void Exchange::place_remote(int round, Source &source) {
  std::byte *to = window_.outgoing(stage_, round % window_halves);
  for (const int s : sinks_.remote)
    for (const int rank : node_.ranks()) {
      if (rank == node_.rank()) placed_bytes_ += source.put(s, round, Form::compact, to);
      to += schedule_.bytes_of(rank, s, round);
    }
}

void Exchange::receive(int round) {
  const Topology &topology = node_.topology();
  const int half = round % window_halves;
  for (const int s : sinks_.own) {
    std::byte *to = in_parts() ? slice(s, round) + bytes_from(node_.index(), s, round) : incoming_at(s, round);
    for (int node = 0; node < topology.nodes(); ++node) {
      if (node == node_.index()) continue;
      const int64_t bytes = bytes_from(node, s, round);
      if (bytes == 0) continue;
      MPI_Request request = MPI_REQUEST_NULL;
      check_mpi(MPI_Irecv(to, mpi_count(bytes), MPI_BYTE, forwarder(topology, node), message_tag(stage_.number, s),
                          node_.comm().get(), &request),
                "MPI_Irecv");
      receiving_[half].push_back(request);
      to += bytes;
    }
  }
}

void Exchange::forward(int round) {
  const int half = round % window_halves;
  const std::byte *from = window_.outgoing(stage_, half);
  uint32_t nothing = 0;
  for (const int s : sinks_.remote) {
    const int64_t bytes = bytes_from(node_.index(), s, round);
    if (bytes == 0) ++nothing;
    if (bytes > 0)
      transfers_.send(from, {schedule_.rank_of(s), message_tag(stage_.number, s), bytes},
                      {&state(half).freed, targets(half).freed});
    from += bytes;
  }
  free_half(half, nothing);
}

void Exchange::collect(int round) {
  if (sinks_.own.empty() && forwarded_ == 0) return;
  const int half = round % window_halves;
  transfers_.wait(state(half).arrived, targets(half).arrived, "the ranks of its node");
  if (forwarded_ > 0) forward(round);
  unpack(round);
}

void Exchange::unpack(int round) {
  const Topology &topology = node_.topology();
  std::vector<MPI_Request> &requests = receiving_[round % window_halves];
  size_t next = 0;
  for (const int s : sinks_.own) {
    const std::byte *from = incoming_at(s, round);
    std::byte *const to = slice(s, round);
    for (int node = 0; node < topology.nodes(); ++node) {
      if (node == node_.index() || bytes_from(node, s, round) == 0) continue;
      transfers_.wait(requests[next++], "the data of rank " + std::to_string(forwarder(topology, node)));
      if (!in_parts()) from = spread_body(schedule_, topology, {node, s, round}, from, to);
    }
  }
  requests.clear();
}

/// Before ranks place their parts of a round: its slices have room, and hold the fill value where that is asked for.
void Exchange::prepare(int round) {
  if (sinks_.own.empty()) return;
  if (rooms_ != nullptr) rooms_->await(round);
  if (!schedule_.fills() || in_parts()) return;
  for (const int s : sinks_.own) schedule_.fill(s, round, slice(s, round));
}

void Exchange::release(int round) {
  std::erase_if(lent_, [round](const Lent &each) { return each.round == round; });
  if (prepares() && round + window_halves < schedule_.rounds()) prepare(round + window_halves);
  free_half(round % window_halves, static_cast<uint32_t>(sinks_.own.size()));
}

}  // namespace sv
