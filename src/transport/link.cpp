#include "transport/link.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <optional>

namespace sv {

namespace {

/// Whether a process has ended without being waited for.
bool is_defunct(int pid) {
  char path[64], text[512];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *const file = std::fopen(path, "r");
  if (file == nullptr) return errno == ENOENT;
  const size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  const std::string line(text, length);
  const size_t name_end = line.rfind(')');
  return name_end != std::string::npos && name_end + 2 < line.size() &&
         (line[name_end + 2] == 'Z' || line[name_end + 2] == 'X');
}

}  // namespace

Link::Link(const Comm &io, const LinkOptions &options) : comm_(io), options_(options) {
  node_comm_ = comm_.split_shared(options_.ranks_per_node);
  int leader = comm_.rank();
  if (options_.share_memory) node_comm_.broadcast(&leader, sizeof leader, 0);
  topology_ = Topology::from_labels(comm_.all_gather<int>(std::span<const int>(&leader, 1)));
}

void Link::man(Crew crew) {
  crew_ = std::move(crew);
  bool shared = share();
  if (!shared) {
    topology_ = Topology::uniform(comm_.size(), 1);
    shared = share();
  }
  if (!shared)
    throw Error(Status::no_memory, "no memory for the rings of servers and clients", "Make 'async.memory' smaller");
  memory_.process(rank()) = static_cast<int32_t>(getpid());
  comm_.all_true(true);  // all ranks of the node have entered their process
}

/// Whether there is memory on all nodes.
bool Link::share() {
  const auto shape_of = [this](int node) {
    return LinkShape{topology_.ranks_of[static_cast<size_t>(node)], crew_.servers_on(node, topology_),
                     static_cast<int>(crew_.clients.size()), topology_.nodes() > 1};
  };
  LinkShape mine = shape_of(node());
  int most_rings = 1;
  for (int n = 0; n < topology_.nodes(); ++n) most_rings = std::max(most_rings, shape_of(n).rings());
  // If ranks of a node share nothing, each has a part of the node's memory.
  const int64_t bytes = options_.server_memory_bytes * std::ssize(mine.ranks) / node_comm_.size();
  mine.ring_bytes = ring_bytes_of(bytes, most_rings);
  // The sizes of rounds must agree, and the neighbours of a rank need not be as many everywhere.
  const std::vector<int64_t> all = comm_.all_gather<int64_t>(std::span<const int64_t>(&mine.ring_bytes, 1));
  mine.ring_bytes = *std::min_element(all.begin(), all.end());
  const bool together = std::ssize(mine.ranks) == node_comm_.size();
  memory_ = LinkMemory(std::move(mine), together ? &node_comm_ : nullptr);
  if (comm_.all_true(static_cast<bool>(memory_))) return true;
  memory_.release();
  return false;
}

void Link::leave() const {
  if (memory_) memory_.process(rank()) = 0;
}

void Link::free() {
  const bool failed = memory_ && has_failed();
  leave();
  if (failed) return memory_.keep_for_good();
  memory_.release();
  node_comm_.free();
}

void Link::fail(Status status, const std::string &text) const {
  uint32_t healthy = 0;
  if (!board().failed.compare_exchange_strong(healthy, 1, std::memory_order_acq_rel)) return;
  board().reason_status = static_cast<int32_t>(status);
  board().reason = text;
  board().failed.store(2, std::memory_order_release);
  board().for_clients.ring();
  board().for_servers.ring();
}

void Link::check() const {
  if (board().failed.load(std::memory_order_acquire) == 2)
    throw Error::from_remote(static_cast<Status>(board().reason_status), board().reason.text());
}

std::string Link::reason() const {
  return board().failed.load(std::memory_order_acquire) == 2 ? board().reason.text() : "";
}

int Link::gone_client() const {
  for (const int rank : memory_.shape().ranks)
    if (!crew_.serves(rank) && is_gone(rank)) return rank;
  return -1;
}

bool Link::is_gone(int rank) const {
  const int pid = memory_.process(rank);
  return pid > 0 && ((kill(pid, 0) != 0 && errno == ESRCH) || is_defunct(pid));
}

/// No bell is rung for messages. They often come in the moment after another, so that naps are very short at first; and
/// several that wait for each other, one after the other, make a put: a server, for data; its sender, for the server.
SleepBackoff Link::naps_of(const Waiting &waiting) const {
  using std::chrono::microseconds;
  const bool messages = topology_.nodes() > 1 || waiting.for_messages;
  constexpr double growth = 1.125;
  return messages ? SleepBackoff(microseconds(20), microseconds(1000), growth)
                  : SleepBackoff(microseconds(20000), microseconds(20000));
}

void Link::sleep(EventCount &bell, uint32_t seen, SleepBackoff &naps) const {
  sleep_until(bell.epoch, seen, 0, naps.take());
  constexpr double stir_seconds = 0.01;
  if (!Deadline(stir_seconds, stirred_).passed()) return;
  stirred_ = moment_now();
  comm_.stir();
}

void Link::end(const std::string &doing, const std::string &why) const {
  fail(Status::timeout, "rank " + std::to_string(rank()) + " " + doing + ": " + why +
                            ". Committed records can be read; end the run, without MPI_Finalize");
  check();
  throw Error(Status::timeout, why, "");
}

/// With servers: ranks that wait in a gate for one that waits for a server have more, and receive the name of that
/// server.
double Link::patience_seconds() const { return 0.9 * options_.limit_seconds; }

void Link::give_up(const std::string &doing, const std::vector<int> &whom) const {
  std::string names;
  for (const int each : whom) names += (names.empty() ? "" : ", ") + std::to_string(each);
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", patience_seconds());
  end(doing, "server " + names + " made no progress for " + limit + " s ('watchdog' sets the limit)");
}

void Link::poll_failure() const {
  constexpr double poll_seconds = 0.1;
  check();
  if (!Deadline(poll_seconds, polled_).passed()) return;
  polled_ = moment_now();
  for (const int server : memory_.shape().servers)
    if (is_gone(server)) end("looked for its servers", "server " + std::to_string(server) + " has ended");
}

void Link::await_servers(const Waiting &waiting) const {
  Moment moved = moment_now();
  SleepBackoff naps = naps_of(waiting);
  std::optional<trace::Bracket> waits;
  const auto progress = [&] {
    const auto here = static_cast<int64_t>(board().progress.load(std::memory_order_relaxed));
    return waiting.progress ? here + waiting.progress() : here;
  };
  int64_t last = progress();
  while (true) {
    const uint32_t seen = board().for_clients.epoch.now();
    if (waiting.meanwhile) waiting.meanwhile();
    if (waiting.look()) return;
    poll_failure();
    const int64_t now = progress();
    if (now != last) moved = moment_now();
    last = now;
    if (Deadline(patience_seconds(), moved).passed()) give_up(waiting.doing, waiting.whom);
    if (!waits) waits.emplace(options_.steps, waiting.as);
    sleep(board().for_clients, seen, naps);
  }
}

bool Link::await_clients(const Waiting &waiting) const {
  constexpr double poll_seconds = 0.2;
  Moment polled = moment_now();
  SleepBackoff naps = naps_of(waiting);
  std::optional<trace::Bracket> waits;
  while (true) {
    const uint32_t seen = board().for_servers.epoch.now();
    if (waiting.meanwhile) waiting.meanwhile();
    if (waiting.look()) return true;
    if (has_failed()) return false;
    if (Deadline(poll_seconds, polled).passed()) {
      polled = moment_now();
      if (gone_client() >= 0) return false;
    }
    if (!waits) waits.emplace(options_.steps, waiting.as);
    sleep(board().for_servers, seen, naps);
  }
}

}  // namespace sv
