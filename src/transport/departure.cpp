#include "transport/departure.hpp"

#include <algorithm>

#include "assemble/stage_schedule.hpp"
#include "transport/forwarder.hpp"
#include "transport/hand_over.hpp"
#include "transport/traffic.hpp"

namespace sv {

Departure::Departure(const Link &link, Landing &landing, Plan plan, int64_t first_round)
    : link_(link), landing_(landing), plan_(std::move(plan)), first_round_(first_round) {}

bool Departure::begin() {
  if (!reserved_) {
    slices_.clear();
    for (const int sink : plan_.stages.front().sinks_of_node[static_cast<size_t>(link_.node())]) {
      const int64_t bytes = slice_bytes(plan_, sink, round_);
      if (bytes == 0 || plan_.stages.front().sinks[static_cast<size_t>(sink)].rank != link_.rank()) continue;
      const int64_t position = landing_.places.take(bytes);
      end_ = landing_.places.end();
      slices_.push_back({sink, landing_.ring.at(position), bytes, landing_.release.expect(end_)});
    }
    reserved_ = true;
  }
  return slices_.empty() || landing_.ring.has_room(end_);
}

void Departure::send(const Arrival::Slice &slice) {
  const StageSchedule schedule(plan_, 0);
  const Topology &topology = link_.topology();
  for (int node = 0; node < topology.nodes(); ++node) {
    const std::vector<int> clients = link_.crew().clients_on(node, landing_.component, topology);
    if (node == link_.node() || clients.empty()) continue;
    const int64_t bytes = bytes_of_node(schedule, topology, {node, slice.sink, round_});
    if (bytes == 0) continue;
    sent_.push_back({MPI_REQUEST_NULL, std::vector<std::byte>(static_cast<size_t>(bytes))});
    std::byte *to = sent_.back().body.data();
    for (const int rank : topology.ranks_of[static_cast<size_t>(node)]) {
      const int64_t part = schedule.bytes_of(rank, slice.sink, round_);
      if (part > 0) schedule.gather({rank, slice.sink, round_}, slice.values, to);
      to += part;
    }
    check_mpi(MPI_Isend(sent_.back().body.data(), mpi_count(bytes), MPI_BYTE, clients.front(),
                        parcel_tag(landing_.component), link_.comm().get(), &sent_.back().request),
              "MPI_Isend");
  }
}

void Departure::depart() {
  for (const Arrival::Slice &slice : slices_) send(slice);
  leaving_.push_back({first_round_ + round_, {}});
  for (const Arrival::Slice &slice : slices_) leaving_.back().numbers.push_back(slice.number);
  link_.filled(link_.rank(), landing_.component).store(first_round_ + round_, std::memory_order_release);
  link_.board().for_clients.ring();
  ++round_;
  reserved_ = false;
}

bool Departure::progress() {
  std::erase_if(sent_, [](Sent &sent) {
    int done = 0;
    check_mpi(MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  });
  while (!leaving_.empty()) {
    const bool taken = std::all_of(landing_.clients_here.begin(), landing_.clients_here.end(), [&](int client) {
      return link_.placed(client).load(std::memory_order_acquire) >= leaving_.front().round;
    });
    if (!taken) return false;
    for (const int64_t number : leaving_.front().numbers) landing_.release.done(number);
    leaving_.pop_front();
  }
  return sent_.empty();
}

}  // namespace sv
