#include "transport/exchange.hpp"

#include <algorithm>

#include "transport/traffic.hpp"

namespace sv {

namespace {
const char *const writers = "the writers of its node";
}

Exchange::Exchange(const Plan &plan, int stage, Window &window, Transfers &transfers, const std::byte *fill)
    : plan_(plan), stage_(stage), window_(window), node_(window.node()), transfers_(transfers), fill_(fill) {
  const Topology &topology = node_.topology();
  const std::vector<Sink> &sinks = this->stage().sinks;
  for (int s = 0; s < static_cast<int>(sinks.size()); ++s) {
    const int rank = sinks[static_cast<size_t>(s)].rank;
    if (rank == node_.rank()) own_sinks_.push_back(s);
    if (!topology.same_node(rank, node_.rank())) remote_sinks_.push_back(s);
  }
  if (forwarder(topology, node_.index()) == node_.rank()) forwarded_ = remote_sinks_.size();
  if (fill_ == nullptr) return;
  for (int half = 0; half < std::min(plan_.rounds, window_halves); ++half) {
    Window::Targets &targets = window_.targets(stage_, half);
    transfers_.wait(window_.state(stage_, half).freed, targets.freed, writers);
    fill_slices(half);  // a half's first round has its number
    targets.freed += static_cast<uint32_t>(sinks.size());
    free_half(half, static_cast<uint32_t>(own_sinks_.size() + forwarded_));
  }
}

std::byte *Exchange::slice(int sink, int round) const {
  const int stages = static_cast<int>(plan_.stages.size());
  return window_.slices(stages, stage_, round % window_halves) +
         plan_.slice_begin(stage_, sink, round) * plan_.field.element_bytes;
}

std::byte *Exchange::incoming_at(int sink, int round) const {
  const int stages = static_cast<int>(plan_.stages.size());
  return window_.incoming(stages, stage_, round % window_halves) +
         plan_.slice_begin(stage_, sink, round) * plan_.field.element_bytes;
}

int64_t Exchange::bytes_from(int node, int sink, int round) const {
  return bytes_of_node(plan_, stage_, node_.topology(), {node, sink, round});
}

void Exchange::free_half(int half, uint32_t sinks) {
  advance(window_.state(stage_, half).freed, sinks, window_.targets(stage_, half).freed);
}

void Exchange::place(int round, Source &source) {
  const int half = round % window_halves;
  HalfState &state = window_.state(stage_, half);
  Window::Targets &targets = window_.targets(stage_, half);
  transfers_.wait(state.freed, targets.freed, writers);
  targets.freed += static_cast<uint32_t>(stage().sinks.size());
  targets.arrived += static_cast<uint32_t>(node_.size());
  receive(round);
  const auto patches = stage().sources->patches_of_rank(node_.rank());
  for (const int s : stage().sinks_of_node[static_cast<size_t>(node_.index())]) {
    const Share share = plan_.share(stage_, s, round);
    for (const Patch &patch : patches) {
      const int64_t bytes = plan_.elements(stage_, patch.box, s, round) * plan_.field.element_bytes;
      if (bytes == 0) continue;
      source.place(s, patch, share, slice(s, round));
      placed_bytes_ += bytes;
    }
  }
  if (!remote_sinks_.empty()) place_remote(round, source);
  advance(state.arrived, 1, targets.arrived);
}

void Exchange::place_remote(int round, Source &source) {
  std::byte *to = window_.outgoing(static_cast<int>(plan_.stages.size()), stage_, round % window_halves);
  for (const int s : remote_sinks_) {
    const Share share = plan_.share(stage_, s, round);
    for (const int rank : node_.ranks())
      for (const Patch &patch : stage().sources->patches_of_rank(rank)) {
        const int64_t bytes = plan_.elements(stage_, patch.box, s, round) * plan_.field.element_bytes;
        if (rank == node_.rank() && bytes > 0) {
          source.write_message(s, patch, share, to);
          placed_bytes_ += bytes;
        }
        to += bytes;
      }
  }
}

void Exchange::receive(int round) {
  const Topology &topology = node_.topology();
  const int half = round % window_halves;
  for (const int s : own_sinks_) {
    std::byte *to = incoming_at(s, round);
    for (int node = 0; node < topology.nodes(); ++node) {
      if (node == node_.index()) continue;
      const int64_t bytes = bytes_from(node, s, round);
      if (bytes == 0) continue;
      MPI_Request request = MPI_REQUEST_NULL;
      check_mpi(MPI_Irecv(to, mpi_count(bytes), MPI_BYTE, forwarder(topology, node), message_tag(stage_, s),
                          node_.comm().get(), &request),
                "MPI_Irecv");
      receiving_[half].push_back(request);
      to += bytes;
    }
  }
}

void Exchange::forward(int round) {
  const int half = round % window_halves;
  const std::byte *from = window_.outgoing(static_cast<int>(plan_.stages.size()), stage_, half);
  uint32_t nothing = 0;
  for (const int s : remote_sinks_) {
    const int64_t bytes = bytes_from(node_.index(), s, round);
    if (bytes == 0) ++nothing;
    if (bytes > 0)
      transfers_.send(from, {stage().sinks[static_cast<size_t>(s)].rank, message_tag(stage_, s), bytes},
                      {&window_.state(stage_, half).freed, window_.targets(stage_, half).freed});
    from += bytes;
  }
  free_half(half, nothing);
}

void Exchange::collect(int round) {
  if (own_sinks_.empty() && forwarded_ == 0) return;
  const int half = round % window_halves;
  transfers_.wait(window_.state(stage_, half).arrived, window_.targets(stage_, half).arrived, "the ranks of its node");
  if (forwarded_ > 0) forward(round);
  unpack(round);
}

void Exchange::unpack(int round) {
  const Topology &topology = node_.topology();
  const int half = round % window_halves;
  std::vector<MPI_Request> &requests = receiving_[half];
  size_t next = 0;
  for (const int s : own_sinks_) {
    const Share share = plan_.share(stage_, s, round);
    const std::byte *from = incoming_at(s, round);
    std::byte *const to = slice(s, round);
    for (int node = 0; node < topology.nodes(); ++node) {
      if (node == node_.index() || bytes_from(node, s, round) == 0) continue;
      transfers_.wait(requests[next++], "the data of rank " + std::to_string(forwarder(topology, node)));
      for (const int rank : topology.ranks_of[static_cast<size_t>(node)])
        for (const Patch &patch : stage().sources->patches_of_rank(rank)) {
          const int64_t bytes = plan_.elements(stage_, patch.box, s, round) * plan_.field.element_bytes;
          if (bytes == 0) continue;
          spread_rows(plan_.extend(patch.box), share, plan_.field.element_bytes, from, to);
          from += bytes;
        }
    }
  }
  requests.clear();
}

void Exchange::fill_slices(int round) {
  for (const int s : own_sinks_)
    fill_elements(slice(s, round), plan_.share(stage_, s, round).elements(), fill_, plan_.field.element_bytes);
}

void Exchange::release(int round) {
  if (fill_ != nullptr && round + window_halves < plan_.rounds) fill_slices(round + window_halves);
  free_half(round % window_halves, static_cast<uint32_t>(own_sinks_.size()));
}

}  // namespace sv
