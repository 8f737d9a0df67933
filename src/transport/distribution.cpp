#include "transport/distribution.hpp"

namespace sv {

Distribution::Distribution(const Schedule &schedule, const StagePlace &place, Window &window, Transfers &transfers)
    : schedule_(schedule),
      place_(place),
      window_(window),
      node_(window.node()),
      transfers_(transfers),
      sinks_(sinks_of(schedule, node_)) {}

void Distribution::expect(int round) {
  const int half = round % window_halves;
  std::byte *to = window_.outgoing(place_, half);
  const Signal arrived{&window_.state(0, half).arrived, window_.targets(0, half).arrived};
  const bool forwards = forwarder(node_.topology(), node_.index()) == node_.rank();
  uint32_t nothing = 0;
  for (const int s : sinks_.remote) {
    const int64_t bytes = bytes_of_node(schedule_, node_.topology(), {node_.index(), s, round});
    if (forwards) {
      if (bytes == 0) ++nothing;
      if (bytes > 0) transfers_.receive(to, {schedule_.rank_of(s), message_tag(0, s), bytes}, arrived);
    }
    to += bytes;
  }
  advance(*arrived.counter, nothing, arrived.target);
}

void Distribution::send(int sink, int round, const std::byte *slice) {
  const Topology &topology = node_.topology();
  if (schedule_.is_at_home()) return;
  const int half = round % window_halves;
  std::byte *body = window_.incoming(place_, half) + schedule_.slice_begin(sink, round);
  for (int node = 0; node < topology.nodes(); ++node) {
    if (node == node_.index()) continue;
    std::byte *const to = gather_body(schedule_, topology, {node, sink, round}, slice, body);
    free_half(half, to == body ? 1 : 0);
    if (to == body) continue;
    transfers_.send(body, {forwarder(topology, node), message_tag(0, sink), to - body},
                    {&window_.state(0, half).freed, window_.targets(0, half).freed});
    body = to;
  }
}

/// This many users of a half, its ranks and its messages to other nodes, have finished with it.
void Distribution::free_half(int half, uint32_t users) {
  advance(window_.state(0, half).freed, users, window_.targets(0, half).freed);
}

void Distribution::read_own(int round, const Read &read) {
  const int half = round % window_halves;
  for (const int s : sinks_.own) {
    std::byte *to = slice(s, round);
    if (read(s, round, to))
      send(s, round, to);
    else
      free_half(half, messages_of(1));
    advance(window_.state(0, half).arrived, 1, window_.targets(0, half).arrived);
  }
}

void Distribution::take(int round, Target &target) {
  const std::byte *message = window_.outgoing(place_, round % window_halves);
  for (const int s : sinks_.here)
    if (schedule_.bytes_of(node_.rank(), s, round) > 0) target.take(s, round, Form::in_place, slice(s, round));
  for (const int s : sinks_.remote) {
    for (const int rank : node_.ranks()) {
      const int64_t bytes = schedule_.bytes_of(rank, s, round);
      if (rank == node_.rank() && bytes > 0) target.take(s, round, Form::compact, message);
      message += bytes;
    }
  }
}

void Distribution::round(int round, const Read &read, Target &target) {
  const int half = round % window_halves;
  HalfState &state = window_.state(0, half);
  Window::Targets &targets = window_.targets(0, half);
  const std::string readers = "the readers of its node, and the ranks that they read for";
  transfers_.wait(state.freed, targets.freed, readers);
  targets.arrived += sinks_.used();
  targets.freed += static_cast<uint32_t>(node_.size()) + messages_of(sinks_.of_node);
  if (!sinks_.remote.empty()) expect(round);
  read_own(round, read);
  transfers_.wait(state.arrived, targets.arrived, readers);
  take(round, target);
  free_half(half, 1);
}

}  // namespace sv
