#include "transport/hand_over.hpp"

#include <algorithm>

#include "assemble/point_schedules.hpp"
#include "plan/gathering.hpp"
#include "transport/traffic.hpp"

namespace sv {

int64_t slice_bytes(const Plan &plan, int sink, int round) {
  if (plan.gathers()) return gathered_bytes(plan, sink, round);
  return plan.share(0, sink, round).elements() * plan.field.element_bytes;
}

int sender_of(const Link &link, int component, int node, bool synchronous) {
  const std::vector<int> servers = link.crew().servers_on(node, link.topology());
  const std::vector<int> clients = link.crew().clients_on(node, component, link.topology());
  if (servers.empty() || synchronous) return clients.empty() ? -1 : clients.front();
  return servers[static_cast<size_t>(component) % servers.size()];
}

HandOver::HandOver(const Link &link, int component, const Options &options)
    : link_(link),
      component_(component),
      options_(options),
      clients_(link.crew().clients_on(link.node(), component, link.topology())),
      outgoing_(link.ring_bytes()) {
  const std::vector<int> servers = link.crew().servers_on(link.node(), link.topology());
  for (const int server : servers) places_.emplace(server, RingPlaces(link.ring_bytes()));
  remote_ = servers.size() < link.crew().servers.size();
  const int sender = sender_of(link, component, link.node(), options.synchronous);
  driver_ = link.crew().serves(sender)
                ? Driver::server
                : (!options.synchronous && may_call_from_threads() ? Driver::thread : Driver::calls);
  if (!remote_ || sender != link.rank()) return;
  forwarder_ = std::make_unique<Forwarder>(link, component, options.pace);
  if (driver_ == Driver::thread) thread_ = std::thread([this] { run_thread(); });
}

HandOver::~HandOver() {
  leaving_ = true;
  if (thread_.joinable()) thread_.join();
}

void HandOver::run_thread() {
  try {
    for (Rest rest; !leaving_ && !link_.has_failed(); rest()) {
      forwarder_->progress();
      if (!forwarder_->is_idle()) continue;
      const Bell &bell = link_.board().for_servers;  // which is rung when something was placed
      const uint32_t seen = bell.strokes.load(std::memory_order_acquire);
      constexpr int nap_milliseconds = 2;
      if (forwarder_->is_idle() && !leaving_) sleep_until(bell.strokes, seen, 0, nap_milliseconds);
    }
  } catch (const Error &error) {
    link_.fail(error.status(), error.what());
  }
}

void HandOver::progress() {
  if (forwarder_ != nullptr && driver_ == Driver::calls) forwarder_->progress();
}

void HandOver::await(const Link::Waiting &waiting) {
  progress();
  if (waiting.look()) return;
  const double begin = wall_seconds();
  link_.board().for_servers.ring();
  link_.await_servers(waiting);
  waited_seconds_ += wall_seconds() - begin;
}

void HandOver::place_here(const Plan &plan, int round, Source &source) {
  const std::unique_ptr<Schedule> own = schedule_of(plan, 0, nullptr);
  const Schedule &schedule = *own;
  for (const int sink : schedule.sinks_of_node(link_.node())) {
    const int64_t bytes = slice_bytes(plan, sink, round);
    if (bytes == 0) continue;
    const int server = schedule.rank_of(sink);
    RingPlaces &places = places_.at(server);
    const int64_t position = places.take(bytes), end = places.end();
    if (schedule.bytes_of(link_.rank(), sink, round) == 0) continue;
    const Ring ring = link_.ring(server, component_);
    await({.look = [&] { return ring.has_room(end); },
           .meanwhile = [this] { progress(); },
           .progress = [&] { return ring.freed->load(std::memory_order_acquire); },
           .doing = "waits for room in the memory of server " + std::to_string(server),
           .whom = {server},
           .as = trace::Doing::wait_memory});
    placed_bytes_ += source.put(sink, round, Form::in_place, ring.at(position));
  }
}

void HandOver::place_for_others(const Plan &plan, int round, Source &source) {
  const std::unique_ptr<Schedule> own = schedule_of(plan, 0, nullptr);
  const Schedule &schedule = *own;
  const Ring ring = link_.outgoing(component_);
  const int me = link_.rank();
  for (int sink = 0; sink < schedule.sinks(); ++sink) {
    const int server = schedule.rank_of(sink);
    if (link_.topology().same_node(server, me)) continue;
    const int64_t bytes = bytes_of_node(schedule, link_.topology(), {link_.node(), sink, round});
    if (bytes == 0) continue;
    const int64_t position = outgoing_.take(bytes), end = outgoing_.end(), number = pushed_++;
    await({.look =
               [&] {
                 return ring.has_room(end) &&
                        number - link_.parcels_gone(component_).load(std::memory_order_acquire) < most_parcels;
               },
           .meanwhile = [this] { progress(); },
           .progress = [&] { return link_.parcels_gone(component_).load(std::memory_order_acquire); },
           .doing = "waits until what its node has for server " + std::to_string(server) + " is taken",
           .whom = {server},
           .as = trace::Doing::wait_memory});
    int64_t before = 0;
    for (const int client : clients_)
      if (client < me) before += schedule.bytes_of(client, sink, round);
    placed_bytes_ += source.put(sink, round, Form::compact, ring.at(position) + before);
    if (me != clients_.front()) continue;
    link_.parcel(component_, number) = {server, rounds_, position, bytes, end};
    link_.parcels(component_).store(number + 1, std::memory_order_release);
  }
}

void HandOver::carry(const Plan &plan, Source &source) {
  for (int round = 0; round < plan.rounds; ++round) {
    ++rounds_;
    place_here(plan, round, source);
    if (remote_) place_for_others(plan, round, source);
    link_.placed(link_.rank()).store(rounds_, std::memory_order_release);
    // Servers that are woken take the cores from ranks that still pack: not before they are needed.
    if (remote_ || round + 1 == plan.rounds) link_.board().for_servers.ring();
    if (remote_) link_.board().for_clients.ring();  // the sender may be a client
    progress();
  }
  if (options_.synchronous && forwarder_ != nullptr) finish();
}

void HandOver::finish() {
  if (!remote_) return;
  await({.look = [this] { return link_.parcels_gone(component_).load(std::memory_order_acquire) >= pushed_; },
         .meanwhile = [this] { progress(); },
         .progress = [this] { return link_.parcels_gone(component_).load(std::memory_order_acquire); },
         .doing = "waits until the servers have taken what its node sends",
         .whom = link_.crew().servers});
}

void HandOver::take_here(const Plan &plan, int round, Target &target) {
  const StageSchedule schedule(plan, 0);
  for (const int sink : schedule.sinks_of_node(link_.node())) {
    const int64_t bytes = slice_bytes(plan, sink, round);
    if (bytes == 0) continue;
    const int server = schedule.rank_of(sink);
    const int64_t position = places_.at(server).take(bytes);
    if (schedule.bytes_of(link_.rank(), sink, round) == 0) continue;
    await({.look = [&] { return link_.filled(server, component_).load(std::memory_order_acquire) >= rounds_; },
           .meanwhile = [this] { progress(); },
           .doing = "waits for what server " + std::to_string(server) + " reads",
           .whom = {server}});
    target.take(sink, round, Form::in_place, link_.ring(server, component_).at(position));
  }
}

/// By the lowest client of the node, for all.
void HandOver::receive(const Plan &plan, int round, int64_t position) {
  const StageSchedule schedule(plan, 0);
  for (int sink = 0; sink < schedule.sinks(); ++sink) {
    const int server = schedule.rank_of(sink);
    if (link_.topology().same_node(server, link_.rank())) continue;
    const int64_t bytes = bytes_of_node(schedule, link_.topology(), {link_.node(), sink, round});
    if (bytes == 0) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(link_.outgoing(component_).at(position), mpi_count(bytes), MPI_BYTE, server,
                        parcel_tag(component_), link_.comm().get(), &request),
              "MPI_Irecv");
    await({.look =
               [&] {
                 int done = 0;
                 check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
                 return done != 0;
               },
           .doing = "waits for what server " + std::to_string(server) + " reads",
           .whom = {server}});
    position += bytes;
  }
  link_.fetched(component_).store(rounds_, std::memory_order_release);
  link_.board().for_clients.ring();
}

/// What comes to a node in a round stands in one block of its outgoing ring, which is empty otherwise.
void HandOver::take_from_others(const Plan &plan, int round, Target &target) {
  const StageSchedule schedule(plan, 0);
  const auto of_others = [&](const std::function<void(int, int64_t)> &visit) {
    for (int sink = 0; sink < schedule.sinks(); ++sink)
      if (!link_.topology().same_node(schedule.rank_of(sink), link_.rank()))
        visit(sink, bytes_of_node(schedule, link_.topology(), {link_.node(), sink, round}));
  };
  int64_t all = 0;
  of_others([&](int, int64_t bytes) { all += bytes; });
  const bool leads = clients_.front() == link_.rank();
  const int64_t position = outgoing_.take(all);
  if (leads) receive(plan, round, position);
  await({.look = [&] { return link_.fetched(component_).load(std::memory_order_acquire) >= rounds_; },
         .doing = "waits for what servers of other nodes read",
         .whom = link_.crew().servers});
  const std::byte *from = link_.outgoing(component_).at(position);
  of_others([&](int sink, int64_t bytes) {
    int64_t before = 0;
    for (const int client : clients_)
      if (client < link_.rank()) before += schedule.bytes_of(client, sink, round);
    if (schedule.bytes_of(link_.rank(), sink, round) > 0) target.take(sink, round, Form::compact, from + before);
    from += bytes;
  });
}

void HandOver::fetch(const Plan &plan, Target &target) {
  finish();
  for (int round = 0; round < plan.rounds; ++round) {
    ++rounds_;
    take_here(plan, round, target);
    if (remote_) take_from_others(plan, round, target);
    link_.placed(link_.rank()).store(rounds_, std::memory_order_release);
    link_.board().for_servers.ring();
    link_.board().for_clients.ring();
    if (!remote_) continue;
    // The block is free when all have taken their parts.
    await({.look =
               [&] {
                 return std::all_of(clients_.begin(), clients_.end(), [&](int client) {
                   return link_.placed(client).load(std::memory_order_acquire) >= rounds_;
                 });
               },
           .doing = "waits for the others of its node",
           .whom = clients_});
    if (clients_.front() == link_.rank())
      link_.outgoing(component_).freed->store(outgoing_.end(), std::memory_order_release);
  }
}

}  // namespace sv
