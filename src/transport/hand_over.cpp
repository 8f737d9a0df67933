#include "transport/hand_over.hpp"

#include "packing/point_schedules.hpp"
#include "plan/gathering.hpp"
#include "transport/message_layout.hpp"

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
      outgoing_(link.memory().shape().ring_bytes) {
  const std::vector<int> servers = link.crew().servers_on(link.node(), link.topology());
  for (const int server : servers) places_.emplace(server, RingPlaces(link.memory().shape().ring_bytes));
  std::vector<Ring> rings;
  for (const int server : servers) rings.push_back(link.memory().ring(server, component));
  remote_ = servers.size() < link.crew().servers.size();
  if (remote_) rings.push_back(link.memory().outgoing(component));
  mapping_.begin(std::move(rings),
                 [this](const Ring &ring, int64_t begin, int64_t end) { link_.memory().map(ring, begin, end); });
  const int sender = sender_of(link, component, link.node(), options.synchronous);
  driver_ = link.crew().serves(sender)
                ? Driver::server
                : (!options.synchronous && may_call_from_threads() ? Driver::thread : Driver::calls);
  if (!remote_ || sender != link.rank()) return;
  forwarder_ = std::make_unique<Forwarder>(link, component, options.pace);
  const bool has_thread = driver_ == Driver::thread &&
                          thread_.begin("sv-forward", [this](const std::stop_token &stop) { run_thread(stop); });
  if (driver_ == Driver::thread && !has_thread) driver_ = Driver::calls;
}

void HandOver::run_thread(const std::stop_token &stop) {
  const auto failed = caught(-1, [&] {
    for (YieldBackoff rest; !stop.stop_requested() && !link_.has_failed(); rest()) {
      forwarder_->progress();
      if (!forwarder_->is_idle()) continue;
      EventCount &bell = link_.board().for_servers;  // which is rung when something was placed
      const uint32_t seen = bell.epoch.now();
      constexpr std::chrono::milliseconds nap{2};
      if (forwarder_->is_idle() && !stop.stop_requested()) sleep_until(bell.epoch, seen, 0, nap);
    }
  });
  if (failed) link_.fail(failed->status(), failed->what());
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

/// Bytes of a sink's message that belong to clients of this node before this one.
int64_t HandOver::bytes_before(const Schedule &schedule, int sink, int round) const {
  int64_t before = 0;
  for (const int client : clients_)
    if (client < link_.rank()) before += schedule.bytes_of(client, sink, round);
  return before;
}

void HandOver::place_here(const Plan &plan, const Schedule &schedule, int round, Source &source) {
  for (const int sink : schedule.sinks_of_node(link_.node())) {
    const int64_t bytes = slice_bytes(plan, sink, round);
    if (bytes == 0) continue;
    const int server = schedule.rank_of(sink);
    RingPlaces &places = places_.at(server);
    const int64_t position = places.take(bytes), end = places.end();
    if (schedule.bytes_of(link_.rank(), sink, round) == 0) continue;
    const Ring ring = link_.memory().ring(server, component_);
    await({.look = [&] { return ring.has_room(end); },
           .meanwhile = [this] { progress(); },
           .progress = [&] { return ring.freed->load(std::memory_order_acquire); },
           .doing = "waits for room in the memory of server " + std::to_string(server),
           .whom = {server},
           .as = trace::Doing::wait_memory});
    std::byte *const to = ring.at(position);
    placed_bytes_ += stands_in_parts(schedule, sink)
                         ? source.put(sink, round, Form::compact, to + bytes_before(schedule, sink, round))
                         : source.put(sink, round, Form::in_place, to);
  }
}

void HandOver::place_for_others(const Schedule &schedule, int round, Source &source) {
  const Ring ring = link_.memory().outgoing(component_);
  for (int sink = 0; sink < schedule.sinks(); ++sink) {
    const int server = schedule.rank_of(sink);
    if (link_.topology().same_node(server, link_.rank())) continue;
    const int64_t bytes = bytes_of_node(schedule, link_.topology(), {link_.node(), sink, round});
    if (bytes == 0) continue;
    const int64_t position = outgoing_.take(bytes), end = outgoing_.end(), number = pushed_++;
    await({.look = [&] { return ring.has_room(end) && number - gone() < most_parcels; },
           .meanwhile = [this] { progress(); },
           .progress = [this] { return gone(); },
           .doing = "waits until what its node has for server " + std::to_string(server) + " is taken",
           .whom = {server},
           .as = trace::Doing::wait_memory});
    placed_bytes_ += source.put(sink, round, Form::compact, ring.at(position) + bytes_before(schedule, sink, round));
    if (link_.rank() != clients_.front()) continue;
    link_.memory().parcel(component_, number) = {server, rounds_, position, bytes, end};
    link_.memory().parcels(component_).store(number + 1, std::memory_order_release);
  }
}

void HandOver::carry(const Plan &plan, Source &source) {
  const std::unique_ptr<Schedule> schedule = schedule_of(plan, 0, nullptr);
  for (int round = 0; round < plan.rounds; ++round) {
    ++rounds_;
    place_here(plan, *schedule, round, source);
    if (remote_) place_for_others(*schedule, round, source);
    link_.memory().placed(link_.rank()).store(rounds_, std::memory_order_release);
    // Servers that are woken take the cores from ranks that still pack: not before they are needed.
    if (remote_ || round + 1 == plan.rounds) link_.board().for_servers.ring();
    if (remote_) link_.board().for_clients.ring();  // the sender may be a client
    progress();
  }
  constexpr int64_t small = int64_t{256} << 10;
  if (options_.synchronous && forwarder_ != nullptr) await_sent(small);
}

void HandOver::end_step() {
  if (options_.synchronous && forwarder_ != nullptr) await_sent(0);
}

void HandOver::finish() {
  if (remote_) await_sent(0);
}

/// Waits until no more than `bytes` of this node's outgoing data are still in its memory.
void HandOver::await_sent(int64_t bytes) {
  const Ring ring = link_.memory().outgoing(component_);
  await({.look = [&] { return outgoing_.end() - ring.freed->load(std::memory_order_acquire) <= bytes; },
         .meanwhile = [this] { progress(); },
         .progress = [this] { return gone(); },
         .doing = "waits until the servers have taken what its node sends",
         .whom = link_.crew().servers});
}

void HandOver::take_here(const Plan &plan, const Schedule &schedule, int round, Target &target) {
  for (const int sink : schedule.sinks_of_node(link_.node())) {
    const int64_t bytes = slice_bytes(plan, sink, round);
    if (bytes == 0) continue;
    const int server = schedule.rank_of(sink);
    const int64_t position = places_.at(server).take(bytes);
    if (schedule.bytes_of(link_.rank(), sink, round) == 0) continue;
    await({.look = [&] { return link_.memory().filled(server, component_).load(std::memory_order_acquire) >= rounds_; },
           .meanwhile = [this] { progress(); },
           .doing = "waits until server " + std::to_string(server) + " has read",
           .whom = {server}});
    target.take(sink, round, Form::in_place, link_.memory().ring(server, component_).at(position));
  }
}

/// By the lowest client of the node, for all.
void HandOver::receive(const Schedule &schedule, int round, int64_t position) {
  for (int sink = 0; sink < schedule.sinks(); ++sink) {
    const int server = schedule.rank_of(sink);
    if (link_.topology().same_node(server, link_.rank())) continue;
    const int64_t bytes = bytes_of_node(schedule, link_.topology(), {link_.node(), sink, round});
    if (bytes == 0) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(link_.memory().outgoing(component_).at(position), mpi_count(bytes), MPI_BYTE, server,
                        parcel_tag(component_), link_.comm().get(), &request),
              "MPI_Irecv");
    await({.look = [&] { return is_done(request); },
           .doing = "waits until server " + std::to_string(server) + " has read",
           .whom = {server}});
    position += bytes;
  }
  link_.memory().fetched(component_).store(rounds_, std::memory_order_release);
  link_.board().for_clients.ring();
}

/// The data for a node in a round are one block of its outgoing ring, which is empty otherwise.
void HandOver::take_from_others(const Schedule &schedule, int round, Target &target) {
  const auto of_others = [&](const std::function<void(int, int64_t)> &visit) {
    for (int sink = 0; sink < schedule.sinks(); ++sink)
      if (!link_.topology().same_node(schedule.rank_of(sink), link_.rank()))
        visit(sink, bytes_of_node(schedule, link_.topology(), {link_.node(), sink, round}));
  };
  int64_t all = 0;
  of_others([&](int, int64_t bytes) { all += bytes; });
  const int64_t position = outgoing_.take(all);
  if (clients_.front() == link_.rank()) receive(schedule, round, position);
  await({.look = [&] { return link_.memory().fetched(component_).load(std::memory_order_acquire) >= rounds_; },
         .doing = "waits until servers of other nodes have read",
         .whom = link_.crew().servers});
  const std::byte *from = link_.memory().outgoing(component_).at(position);
  of_others([&](int sink, int64_t bytes) {
    if (schedule.bytes_of(link_.rank(), sink, round) > 0)
      target.take(sink, round, Form::compact, from + bytes_before(schedule, sink, round));
    from += bytes;
  });
}

void HandOver::fetch(const Plan &plan, Target &target) {
  finish();
  const StageSchedule schedule(plan, 0);
  for (int round = 0; round < plan.rounds; ++round) {
    ++rounds_;
    take_here(plan, schedule, round, target);
    if (remote_) take_from_others(schedule, round, target);
    link_.memory().placed(link_.rank()).store(rounds_, std::memory_order_release);
    link_.board().for_servers.ring();
    link_.board().for_clients.ring();
    if (!remote_) continue;
    // The block is free when all have taken their parts.
    await({.look = [this] { return link_.memory().have_placed(clients_, rounds_); },
           .doing = "waits for the others of its node",
           .whom = clients_});
    if (clients_.front() == link_.rank())
      link_.memory().outgoing(component_).freed->store(outgoing_.end(), std::memory_order_release);
  }
}

}  // namespace sv
