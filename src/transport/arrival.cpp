#include "transport/arrival.hpp"

#include <algorithm>

#include "transport/forwarder.hpp"
#include "transport/hand_over.hpp"
#include "transport/traffic.hpp"

namespace sv {

Landing::Landing(const Link &link, int of_component, bool synchronous)
    : component(of_component),
      ring(link.ring(link.rank(), component)),
      places(ring.capacity),
      release(ring, link.board().for_clients),
      clients_here(link.crew().clients_on(link.node(), component, link.topology())) {
  for (int node = 0; node < link.topology().nodes(); ++node)
    senders.push_back(link.crew().clients_on(node, component, link.topology()).empty()
                          ? -1
                          : sender_of(link, component, node, synchronous));
}

Arrival::Arrival(const Link &link, Landing &landing, Plan plan, int64_t first_round)
    : link_(link),
      landing_(landing),
      plan_(std::move(plan)),
      schedule_(schedule_of(plan_, 0, nullptr)),
      first_round_(first_round) {
  for (int sink = 0; sink < std::ssize(plan_.stages.front().sinks); ++sink)
    if (plan_.stages.front().sinks[static_cast<size_t>(sink)].rank == link.rank()) own_.push_back(sink);
}

/// Places for the next round, in the order in which the clients of this node take them.
void Arrival::reserve() {
  rounds_.emplace_back();
  for (const int sink : plan_.stages.front().sinks_of_node[static_cast<size_t>(link_.node())]) {
    const int64_t bytes = slice_bytes(plan_, sink, arrived_);
    if (bytes == 0 || std::find(own_.begin(), own_.end(), sink) == own_.end()) continue;
    const int64_t position = landing_.places.take(bytes);
    end_ = landing_.places.end();
    rounds_.back().push_back({sink, landing_.ring.at(position), bytes, landing_.release.expect(end_)});
  }
}

bool Arrival::begin() {
  if (std::ssize(rounds_) == arrived_) reserve();
  const std::vector<Slice> &slices = rounds_.back();
  if (!slices.empty() && !landing_.ring.has_room(end_)) return false;
  const Schedule &schedule = *schedule_;
  for (const Slice &slice : slices)
    for (int node = 0; node < link_.topology().nodes(); ++node) {
      const int sender = landing_.senders[static_cast<size_t>(node)];
      if (node == link_.node() || sender < 0) continue;
      const int64_t bytes = bytes_of_node(schedule, link_.topology(), {node, slice.sink, arrived_});
      if (bytes == 0) continue;
      coming_.push_back({slice.sink, node, MPI_REQUEST_NULL, std::vector<std::byte>(static_cast<size_t>(bytes))});
      check_mpi(MPI_Irecv(coming_.back().body.data(), mpi_count(bytes), MPI_BYTE, sender,
                          parcel_tag(landing_.component), link_.comm().get(), &coming_.back().request),
                "MPI_Irecv");
    }
  begun_ = true;
  return true;
}

bool Arrival::receive() {
  const Schedule &schedule = *schedule_;
  while (!coming_.empty()) {
    Coming &next = coming_.front();
    int done = 0;
    check_mpi(MPI_Test(&next.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) return false;
    const double begin = wall_seconds();
    trace::Bracket receiving(link_.steps(), trace::Doing::receive);
    receiving.bytes(std::ssize(next.body));
    const std::vector<Slice> &slices = rounds_.back();
    const auto to = std::find_if(slices.begin(), slices.end(), [&](const Slice &s) { return s.sink == next.sink; });
    const std::byte *from = next.body.data();
    for (const int rank : link_.topology().ranks_of[static_cast<size_t>(next.node)]) {
      const int64_t bytes = schedule.bytes_of(rank, next.sink, arrived_);
      if (bytes > 0) schedule.spread({rank, next.sink, arrived_}, from, to->values);
      from += bytes;
    }
    landing_.received_bytes += std::ssize(next.body);
    ++landing_.messages;
    coming_.pop_front();
    landing_.receive_seconds += wall_seconds() - begin;
  }
  return true;
}

bool Arrival::is_placed() const {
  return std::all_of(landing_.clients_here.begin(), landing_.clients_here.end(), [&](int client) {
    return link_.placed(client).load(std::memory_order_acquire) >= first_round_ + arrived_;
  });
}

void Arrival::progress() {
  while (!is_complete()) {
    if (!begun_ && !begin()) return;
    if (!receive() || !is_placed()) return;
    ++arrived_;
    begun_ = false;
  }
}

}  // namespace sv
