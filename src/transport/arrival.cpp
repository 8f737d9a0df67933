#include "transport/arrival.hpp"

#include <algorithm>

#include "transport/forwarder.hpp"
#include "transport/hand_over.hpp"
#include "transport/message_layout.hpp"

namespace sv {

Landing::Landing(const Link &its_link, int of_component, bool synchronous)
    : link(its_link),
      component(of_component),
      command_source(link.crew().command_source(component, link.rank(), link.topology())),
      ring(link.memory().ring(link.rank(), component)),
      places(ring.capacity),
      release(ring, link.board().for_clients, 0),
      pages(
          [this](int64_t begin, int64_t end, std::string &why) {
            if (link.memory().make(ring, begin, end, why)) return true;
            link.fail(Status::no_memory,
                      "server " + std::to_string(link.rank()) + ": " + why + ". Make 'async.memory' smaller");
            return false;
          },
          ring.capacity, release),
      clients_here(link.crew().clients_on(link.node(), component, link.topology())) {
  for (int node = 0; node < link.topology().nodes(); ++node)
    senders.push_back(link.crew().clients_on(node, component, link.topology()).empty()
                          ? -1
                          : sender_of(link, component, node, synchronous));
}

std::vector<Landing::Slice> Landing::reserve(const Plan &plan, int round) {
  std::vector<Slice> slices;
  const Sinks &sinks = plan.stages.front().sinks;
  for (const int sink : sinks.of_node(link.node())) {
    const int64_t bytes = slice_bytes(plan, sink, round);
    if (bytes == 0 || sinks.rank(static_cast<size_t>(sink)) != link.rank()) continue;
    const int64_t position = places.take(bytes);
    slices.push_back({sink, ring.at(position), bytes, release.expect(places.end())});
  }
  return slices;
}

Arrival::Arrival(Landing &landing, Plan plan, int64_t first_round)
    : landing_(landing), plan_(std::move(plan)), schedule_(schedule_of(plan_, 0, nullptr)), first_round_(first_round) {}

bool Arrival::in_parts(int sink) const { return stands_in_parts(*schedule_, sink); }

bool Arrival::begin() {
  if (std::ssize(rounds_) == arrived_) rounds_.push_back(landing_.reserve(plan_, arrived_));
  if (!landing_.has_room()) return false;
  const Link &link = landing_.link;
  for (const Slice &slice : rounds_.back())
    for (int node = 0; node < link.topology().nodes(); ++node) {
      const int sender = landing_.senders[static_cast<size_t>(node)];
      if (node == link.node() || sender < 0) continue;
      const int64_t bytes = bytes_of_node(*schedule_, link.topology(), {node, slice.sink, arrived_});
      if (bytes == 0) continue;
      coming_.push_back({slice.sink, node, MPI_REQUEST_NULL, std::vector<std::byte>(static_cast<size_t>(bytes))});
      check_mpi(MPI_Irecv(coming_.back().body.data(), mpi_count(bytes), MPI_BYTE, sender,
                          parcel_tag(landing_.component), link.comm().get(), &coming_.back().request),
                "MPI_Irecv");
    }
  begun_ = true;
  return true;
}

bool Arrival::receive() {
  for (; !coming_.empty(); coming_.pop_front()) {
    Coming &next = coming_.front();
    if (!is_done(next.request)) return false;
    const double begin = wall_seconds();
    trace::Bracket receiving(landing_.link.steps(), trace::Doing::receive);
    receiving.bytes(std::ssize(next.body));
    const std::vector<Slice> &slices = rounds_.back();
    const auto to = std::find_if(slices.begin(), slices.end(), [&](const Slice &s) { return s.sink == next.sink; });
    const Topology &topology = landing_.link.topology();
    if (in_parts(next.sink))
      std::copy(next.body.begin(), next.body.end(),
                to->values + part_begin(*schedule_, topology, {landing_.link.node(), next.sink, arrived_}, next.node));
    else
      spread_body(*schedule_, topology, {next.node, next.sink, arrived_}, next.body.data(), to->values);
    landing_.received_bytes += std::ssize(next.body);
    ++landing_.messages;
    landing_.receive_seconds += wall_seconds() - begin;
  }
  return true;
}

void Arrival::progress() {
  while (!is_complete()) {
    if (!begun_ && !begin()) return;
    if (!receive() || !landing_.is_placed(first_round_ + arrived_)) return;
    ++arrived_;
    begun_ = false;
  }
}

}  // namespace sv
