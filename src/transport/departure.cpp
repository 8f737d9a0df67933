#include "transport/departure.hpp"

#include <utility>

#include "packing/stage_schedule.hpp"
#include "transport/forwarder.hpp"
#include "transport/message_layout.hpp"

namespace sv {

Departure::Departure(Landing &landing, Plan plan, int64_t first_round)
    : landing_(landing), plan_(std::move(plan)), first_round_(first_round), sent_(landing.link.comm()) {}

bool Departure::begin() {
  if (!std::exchange(reserved_, true)) slices_ = landing_.reserve(plan_, round_);
  return landing_.has_room();
}

void Departure::send(const Landing::Slice &slice) {
  const StageSchedule schedule(plan_, 0);
  const Link &link = landing_.link;
  for (int node = 0; node < link.topology().nodes(); ++node) {
    const std::vector<int> clients = link.crew().clients_on(node, landing_.component, link.topology());
    if (node == link.node() || clients.empty()) continue;
    const MessagePlace place{node, slice.sink, round_};
    EncodedMessage body(static_cast<size_t>(bytes_of_node(schedule, link.topology(), place)));
    if (body.empty()) continue;
    gather_body(schedule, link.topology(), place, slice.values, body.data());
    sent_.post(clients.front(), parcel_tag(landing_.component), std::move(body));
  }
}

void Departure::depart() {
  const int64_t round = first_round_ + round_;
  for (const Landing::Slice &slice : slices_) send(slice);
  leaving_.push_back({round, {}});
  for (const Landing::Slice &slice : slices_) leaving_.back().numbers.push_back(slice.number);
  landing_.link.memory().filled(landing_.link.rank(), landing_.component).store(round, std::memory_order_release);
  landing_.link.board().for_clients.ring();
  ++round_;
  reserved_ = false;
}

bool Departure::progress() {
  sent_.progress();
  for (; !leaving_.empty(); leaving_.pop_front()) {
    if (!landing_.is_placed(leaving_.front().round)) return false;
    for (const int64_t number : leaving_.front().numbers) landing_.release.done(number);
  }
  return sent_.waiting() == 0;
}

}  // namespace sv
