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

constexpr int64_t ring_page_bytes = 4096;
int64_t ring_pages(int64_t bytes) { return (bytes + ring_page_bytes - 1) / ring_page_bytes * ring_page_bytes; }

/// A process that has ended but that nobody has waited for.
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
  node_comm_ = comm_.split_shared();
  if (options_.ranks_per_node > 0) {
    Comm part = node_comm_.split(node_comm_.rank() / options_.ranks_per_node);
    node_comm_.free();
    node_comm_ = std::move(part);
  }
  int leader = comm_.rank();
  if (options_.share_memory) node_comm_.broadcast(&leader, sizeof leader, 0);
  topology_ = Topology::from_labels(comm_.all_gather<int>(std::span<const int>(&leader, 1)));
}

void Link::man(Crew crew) {
  crew_ = std::move(crew);
  share();
  if (!shares_memory_) {
    topology_ = Topology::uniform(comm_.size(), 1);
    share();
    if (!shares_memory_)
      throw Error(Status::no_memory, "no memory for the rings of servers and clients", "Make 'server_memory' smaller");
  }
  servers_here_ = crew_.servers_on(node(), topology_);
  polls_ = topology_.nodes() > 1;
  pids_[local_of(rank())] = static_cast<int32_t>(getpid());
  comm_.all_true(true);  // all of the node have told their process
}

/// The memory of a node: the board, marks (of every rank, two of every ring, three of every component), process
/// numbers, parcels, rings.
void Link::share() {
  here_ = topology_.ranks_of[static_cast<size_t>(node())];
  const auto components = static_cast<int64_t>(crew_.clients.size());
  int64_t most_rings = 1;
  for (int n = 0; n < topology_.nodes(); ++n) {
    const int64_t rings = components * (std::ssize(crew_.servers_on(n, topology_)) + (topology_.nodes() > 1 ? 1 : 0));
    most_rings = std::max(most_rings, rings);
  }
  // Where ranks of a node share nothing, each has a part of what the node may take.
  const int64_t memory = options_.server_memory_bytes * std::ssize(here_) / node_comm_.size();
  ring_bytes_ = std::max(memory / most_rings / ring_page_bytes, int64_t{1}) * ring_page_bytes;
  // The sizes of rounds must agree, and the neighbours of a rank need not be as many everywhere.
  const std::vector<int64_t> all = comm_.all_gather<int64_t>(std::span<const int64_t>(&ring_bytes_, 1));
  ring_bytes_ = *std::min_element(all.begin(), all.end());
  const int64_t rings =
      components * (std::ssize(crew_.servers_on(node(), topology_)) + (topology_.nodes() > 1 ? 1 : 0));
  const int64_t marks = std::ssize(here_) + 2 * rings + 3 * components;
  const int64_t head = ring_pages(static_cast<int64_t>(sizeof(Board)) + marks * static_cast<int64_t>(sizeof(Mark)));
  const int64_t pids = ring_pages(std::ssize(here_) * static_cast<int64_t>(sizeof(int32_t)));
  const int64_t lists = ring_pages(components * most_parcels * static_cast<int64_t>(sizeof(Parcel)));
  const int64_t bytes = head + pids + lists + rings * ring_bytes_;
  std::string why;
  memory_ = std::ssize(here_) == node_comm_.size() ? SharedMemory::allocate(node_comm_, bytes, why)
                                                   : SharedMemory::private_memory(bytes);
  shares_memory_ = comm_.all_true(static_cast<bool>(memory_));
  if (!shares_memory_) return memory_.release();
  marks_ = memory_.data() + sizeof(Board);
  pids_ = reinterpret_cast<int32_t *>(memory_.data() + head);
  parcels_ = memory_.data() + head + pids;
  rings_ = parcels_ + lists;
}

void Link::leave() const {
  if (memory_) pids_[local_of(rank())] = 0;
}

void Link::free() {
  const bool failed = memory_ && has_failed();
  leave();
  if (failed) return memory_.keep_for_good();
  memory_.release();
  node_comm_.free();
}

int Link::local_of(int rank) const {
  return static_cast<int>(std::lower_bound(here_.begin(), here_.end(), rank) - here_.begin());
}

int Link::ring_number(int server, int component) const {
  const auto index = std::lower_bound(servers_here_.begin(), servers_here_.end(), server) - servers_here_.begin();
  return static_cast<int>(index) * static_cast<int>(crew_.clients.size()) + component;
}

Ring Link::ring_numbered(int number) const {
  return {rings_ + number * ring_bytes_, ring_bytes_, &mark(static_cast<int>(here_.size()) + number)};
}

Ring Link::ring(int server, int component) const { return ring_numbered(ring_number(server, component)); }

/// Behind those of the servers.
Ring Link::outgoing(int component) const {
  return ring_numbered(static_cast<int>(servers_here_.size() * crew_.clients.size()) + component);
}

/// Behind those of the rings.
std::atomic<int64_t> &Link::parcel_mark(int number) const {
  const size_t rings = crew_.clients.size() * (servers_here_.size() + (topology_.nodes() > 1 ? 1 : 0));
  return mark(static_cast<int>(here_.size() + rings) + number);
}

std::atomic<int64_t> &Link::fetched(int component) const {
  return parcel_mark(2 * static_cast<int>(crew_.clients.size()) + component);
}

std::atomic<int64_t> &Link::filled(int server, int component) const {
  return parcel_mark(3 * static_cast<int>(crew_.clients.size()) + ring_number(server, component));
}

Parcel &Link::parcel(int component, int64_t number) const {
  return reinterpret_cast<Parcel *>(parcels_)[component * most_parcels + number % most_parcels];
}

void Link::fail(Status status, const std::string &text) const {
  uint32_t healthy = 0;
  if (!board().failed.compare_exchange_strong(healthy, 1, std::memory_order_acq_rel)) return;
  board().reason_status = static_cast<int32_t>(status);
  copy_text(board().reason, text_bytes, text);
  board().failed.store(2, std::memory_order_release);
  board().for_clients.ring();
  board().for_servers.ring();
}

void Link::check() const {
  if (board().failed.load(std::memory_order_acquire) == 2)
    throw Error::told(static_cast<Status>(board().reason_status), board().reason);
}

std::string Link::reason() const { return board().failed.load(std::memory_order_acquire) == 2 ? board().reason : ""; }

int Link::gone_client() const {
  for (const int rank : here_)
    if (!crew_.serves(rank) && is_gone(rank)) return rank;
  return -1;
}

bool Link::is_gone(int rank) const {
  const int pid = pids_[local_of(rank)];
  return pid > 0 && ((kill(pid, 0) != 0 && errno == ESRCH) || is_defunct(pid));
}

/// Short where messages may come, for which no bell is rung.
void Link::sleep(Bell &bell, uint32_t seen, bool for_letters) const {
  constexpr int long_nap = 20, short_nap = 1;  // milliseconds
  bell.sleepers.fetch_add(1, std::memory_order_acq_rel);
  sleep_until(bell.strokes, seen, 0, polls_ || for_letters ? short_nap : long_nap);
  bell.sleepers.fetch_sub(1, std::memory_order_acq_rel);
}

void Link::end(const std::string &doing, const std::string &why) const {
  fail(Status::timeout, "rank " + std::to_string(rank()) + " " + doing + ": " + why +
                            ". What was committed can be read; end the run, without MPI_Finalize");
  check();
  throw Error(Status::timeout, why, "");
}

void Link::give_up(const std::string &doing, const std::vector<int> &whom) const {
  std::string names;
  for (const int each : whom) names += (names.empty() ? "" : ", ") + std::to_string(each);
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", options_.limit_seconds);
  end(doing, "server " + names + " made no progress for " + limit + " s ('watchdog' sets the limit)");
}

void Link::glance() const {
  constexpr double glance_seconds = 0.1;
  check();
  if (!Deadline(glance_seconds, glanced_).passed()) return;
  glanced_ = moment_now();
  for (const int server : servers_here_)
    if (is_gone(server)) end("looked for its servers", "server " + std::to_string(server) + " has ended");
}

void Link::await_servers(const Waiting &waiting) const {
  Moment moved = moment_now();
  std::optional<trace::Bracket> waits;
  int64_t last = waiting.progress ? waiting.progress() : 0;
  while (true) {
    const uint32_t seen = board().for_clients.strokes.load(std::memory_order_acquire);
    if (waiting.meanwhile) waiting.meanwhile();
    if (waiting.look()) return;
    glance();
    const int64_t now = waiting.progress ? waiting.progress() : 0;
    if (now != last) moved = moment_now();
    last = now;
    if (Deadline(options_.limit_seconds, moved).passed()) give_up(waiting.doing, waiting.whom);
    if (!waits) waits.emplace(options_.steps, waiting.as);
    sleep(board().for_clients, seen, waiting.for_letters);
  }
}

bool Link::await_clients(const Waiting &waiting) const {
  constexpr double glance_seconds = 0.2;
  Moment glanced = moment_now();
  std::optional<trace::Bracket> waits;
  while (true) {
    const uint32_t seen = board().for_servers.strokes.load(std::memory_order_acquire);
    if (waiting.meanwhile) waiting.meanwhile();
    if (waiting.look()) return true;
    if (has_failed()) return false;
    if (Deadline(glance_seconds, glanced).passed()) {
      glanced = moment_now();
      if (gone_client() >= 0) return false;
    }
    if (!waits) waits.emplace(options_.steps, waiting.as);
    sleep(board().for_servers, seen, waiting.for_letters);
  }
}

}  // namespace sv
