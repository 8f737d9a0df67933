// What joins models and servers: who they are, the memory that those of a node share, and what they know of each
// other's end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "mpi/comm.hpp"
#include "plan/roles.hpp"
#include "trace/steps.hpp"
#include "transport/bell.hpp"
#include "transport/node.hpp"
#include "transport/ring.hpp"
#include "transport/shared_memory.hpp"
#include "transport/wait.hpp"

namespace sv {

struct LinkOptions {
  int64_t server_memory_bytes;    // of each node, all rings together
  int ranks_per_node;             // pretended nodes; 0: what MPI says
  bool share_memory;              // false: messages only
  double limit_seconds;           // how long somebody who makes no progress is awaited; 0: for ever
  trace::Steps *steps = nullptr;  // where waiting is recorded; nullptr: nowhere
};

/// A number on a cache line of its own.
struct alignas(64) Mark {
  std::atomic<int64_t> value;
};

/// What a node has to send in one round to one server: entries in order, of which `data` lies in the outgoing ring.
struct Parcel {
  int32_t server;
  int64_t round, position, bytes, end;  // end: what may be freed in the ring when it was sent
};
constexpr int64_t most_parcels = 8192;  // that wait on a node, of a component

/// At the beginning of the memory that ranks of a node share; zeroed when it is made.
struct alignas(64) Board {
  Bell for_servers, for_clients;
  std::atomic<uint32_t> failed;  // 0; 1 while the reason is being written; 2 then
  int32_t reason_status;
  char reason[text_bytes];
  std::atomic<int32_t> communicating;  // clients of this node that are inside their own communication
};

class Link {
 public:
  /// Collective over `io`, which must outlive this. Falls back to one rank per node where memory cannot be shared.
  Link(const Comm &io, const LinkOptions &options);
  Link(const Link &) = delete;
  /// Collective. Who serves; makes the rings.
  void man(Crew crew);
  /// Local. From now on nobody minds when this process ends.
  void leave() const;
  /// Collective; after a failure, local.
  void free();

  const Comm &comm() const { return comm_; }
  const Topology &topology() const { return topology_; }
  const Crew &crew() const { return crew_; }
  int rank() const { return comm_.rank(); }
  int node() const { return topology_.node_of[static_cast<size_t>(rank())]; }
  bool shares_memory() const { return shares_memory_; }
  double limit_seconds() const { return options_.limit_seconds; }
  trace::Steps *steps() const { return options_.steps; }

  /// The same for all rings of all nodes.
  int64_t ring_bytes() const { return ring_bytes_; }
  Ring ring(int server, int component) const;  // of a server of this node
  Ring outgoing(int component) const;          // for servers on other nodes
  /// How many rounds a client of this node has placed.
  std::atomic<int64_t> &placed(int client) const { return mark(local_of(client)); }
  /// Parcels of a component on this node: how many there were, how many are gone, and the one of a number.
  std::atomic<int64_t> &parcels(int component) const { return parcel_mark(2 * component); }
  std::atomic<int64_t> &parcels_gone(int component) const { return parcel_mark(2 * component + 1); }
  Parcel &parcel(int component, int64_t number) const;
  /// Of reading: the last round that a server of this node has filled, and that has come from other nodes.
  std::atomic<int64_t> &filled(int server, int component) const;
  std::atomic<int64_t> &fetched(int component) const;
  Board &board() const { return *reinterpret_cast<Board *>(memory_.data()); }

  /// Every wait on this node, now and later, throws this; the first one's stands.
  void fail(Status status, const std::string &text) const;
  bool has_failed() const { return board().failed.load(std::memory_order_acquire) != 0; }
  void check() const;
  /// Why it has failed, in words.
  std::string reason() const;
  /// The same, and where a server of this node has ended; looks now and then only.
  void glance() const;
  /// Fails, and throws: these servers were awaited for too long.
  [[noreturn]] void give_up(const std::string &doing, const std::vector<int> &whom) const;
  /// Whether a rank of this node has ended; the first client here that has, or −1.
  bool is_gone(int rank) const;
  int gone_client() const;

  /// Sleeps until look() holds. `meanwhile` is called again and again, and soon after a bell was rung.
  struct Waiting {
    std::function<bool()> look;
    std::function<void()> meanwhile{};
    std::function<int64_t()> progress{};          // grows while those who are awaited are at work
    std::string doing;                            // "waits for room in the memory of server 9"
    std::vector<int> whom{};                      // ranks
    trace::Doing as = trace::Doing::wait_answer;  // what it is in the trace
    bool for_letters = false;                     // which come without a bell, and go only while MPI is called
  };
  /// A client for servers: fails where one of this node has ended, or none makes progress for the time limit.
  void await_servers(const Waiting &waiting) const;
  /// A server for clients, for ever: false where a client of this node has ended, or the link has failed.
  bool await_clients(const Waiting &waiting) const;

 private:
  void share();
  int local_of(int rank) const;
  std::atomic<int64_t> &mark(int number) const { return reinterpret_cast<Mark *>(marks_)[number].value; }
  std::atomic<int64_t> &parcel_mark(int number) const;
  int ring_number(int server, int component) const;
  Ring ring_numbered(int number) const;
  void sleep(Bell &bell, uint32_t seen, bool for_letters) const;
  [[noreturn]] void end(const std::string &doing, const std::string &why) const;

  const Comm &comm_;
  const LinkOptions options_;
  Comm node_comm_;
  Topology topology_;
  Crew crew_;
  std::vector<int> here_;  // ranks of this node
  std::vector<int> servers_here_;
  SharedMemory memory_;
  std::byte *marks_ = nullptr, *parcels_ = nullptr, *rings_ = nullptr;
  int32_t *pids_ = nullptr;
  int64_t ring_bytes_ = 0;
  bool shares_memory_ = false, polls_ = false;
  mutable Moment glanced_;
};

}  // namespace sv
