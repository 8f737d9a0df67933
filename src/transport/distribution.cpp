#include "transport/distribution.hpp"

#include "assemble/memory_view.hpp"
#include "transport/traffic.hpp"

namespace sv {

Distribution::Distribution(const Plan &plan, Window &window, Transfers &transfers)
    : plan_(plan), window_(window), node_(window.node()), transfers_(transfers) {
  for (int s = 0; s < static_cast<int>(stage().sinks.size()); ++s) {
    const int rank = stage().sinks[static_cast<size_t>(s)].rank;
    if (rank == node_.rank()) own_sinks_.push_back(s);
    if (!node_.topology().same_node(rank, node_.rank())) remote_sinks_.push_back(s);
  }
}

std::byte *Distribution::slice(std::byte *area, int sink) const {
  return area + stage().sinks[static_cast<size_t>(sink)].window_elements * plan_.field.element_bytes;
}

void Distribution::expect(int round) {
  const int half = round % window_halves;
  std::byte *to = window_.outgoing(1, 0, half);
  const Signal arrived{&window_.state(0, half).arrived, window_.targets(0, half).arrived};
  const bool forwards = forwarder(node_.topology(), node_.index()) == node_.rank();
  uint32_t nothing = 0;
  for (const int s : remote_sinks_) {
    const int64_t bytes = bytes_of_node(plan_, 0, node_.topology(), {node_.index(), s, round});
    if (forwards) {
      if (bytes == 0) ++nothing;
      if (bytes > 0)
        transfers_.receive(to, {stage().sinks[static_cast<size_t>(s)].rank, message_tag(0, s), bytes}, arrived);
    }
    to += bytes;
  }
  advance(*arrived.counter, nothing, arrived.target);
}

void Distribution::send(int sink, int round, const Share &share, const std::byte *from) {
  const Topology &topology = node_.topology();
  const auto half = static_cast<size_t>(round % window_halves);
  std::byte *body = slice(window_.incoming(1, 0, round % window_halves), sink);
  for (int node = 0; node < topology.nodes(); ++node) {
    if (node == node_.index()) continue;
    std::byte *to = body;
    for (const int rank : topology.ranks_of[static_cast<size_t>(node)])
      for (const Patch &patch : stage().sources->patches_of_rank(rank)) {
        gather_rows(plan_.extend(patch.box), share, plan_.field.element_bytes, from, to);
        to += plan_.elements(0, patch.box, sink, round) * plan_.field.element_bytes;
      }
    if (to == body) continue;
    transfers_.send(body, {forwarder(topology, node), message_tag(0, sink), to - body},
                    {&through_[half], ++sent_[half]});
    body = to;
  }
}

void Distribution::read_own(int round, const std::function<void(const Share &, std::byte *)> &read) {
  const int half = round % window_halves;
  for (const int s : own_sinks_) {
    const Share share = plan_.share(0, s, round);
    std::byte *to = slice(window_.slices(1, 0, half), s);
    if (share.elements() > 0) {
      read(share, to);
      send(s, round, share, to);
    }
    advance(window_.state(0, half).arrived, 1, window_.targets(0, half).arrived);
  }
}

void Distribution::take(int round, Target &target) {
  const int half = round % window_halves;
  const std::byte *message = window_.outgoing(1, 0, half);
  for (int s = 0; s < static_cast<int>(stage().sinks.size()); ++s) {
    const Share share = plan_.share(0, s, round);
    const bool here = node_.topology().same_node(stage().sinks[static_cast<size_t>(s)].rank, node_.rank());
    if (here) {
      for (const Patch &patch : stage().sources->patches_of_rank(node_.rank()))
        if (plan_.elements(0, patch.box, s, round) > 0) target.take(patch, share, slice(window_.slices(1, 0, half), s));
      continue;
    }
    for (const int rank : node_.ranks())
      for (const Patch &patch : stage().sources->patches_of_rank(rank)) {
        const int64_t elements = plan_.elements(0, patch.box, s, round);
        if (rank == node_.rank() && elements > 0) target.read_message(patch, share, message);
        message += elements * plan_.field.element_bytes;
      }
  }
}

void Distribution::round(int round, const std::function<void(const Share &, std::byte *)> &read, Target &target) {
  const int half = round % window_halves;
  HalfState &state = window_.state(0, half);
  Window::Targets &targets = window_.targets(0, half);
  const std::string readers = "the readers and ranks of its node";
  transfers_.wait(state.freed, targets.freed, readers);
  // What this rank still sends from this half must have left before it is read into again.
  transfers_.wait(through_[static_cast<size_t>(half)], sent_[static_cast<size_t>(half)], "ranks of other nodes");
  targets.arrived += static_cast<uint32_t>(stage().sinks.size());
  targets.freed += static_cast<uint32_t>(node_.size());
  if (!remote_sinks_.empty()) expect(round);
  read_own(round, read);
  transfers_.wait(state.arrived, targets.arrived, readers);
  take(round, target);
  advance(state.freed, 1, targets.freed);
}

}  // namespace sv
