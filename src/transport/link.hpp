// The connection of models and servers: their roles, their knowledge of each other's end, and their waits for each
// other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "mpi/comm.hpp"
#include "plan/roles.hpp"
#include "trace/steps.hpp"
#include "transport/link_memory.hpp"
#include "transport/wait.hpp"

namespace sv {

struct LinkOptions {
  int64_t server_memory_bytes;    // of each node, all rings together
  int ranks_per_node;             // pretended nodes; 0: as MPI reports
  bool share_memory;              // false: messages only
  double limit_seconds;           // how long somebody who makes no progress is awaited; 0: for ever
  trace::Steps *steps = nullptr;  // where waiting is recorded; nullptr: nowhere
};

class Link {
 public:
  /// Collective over `io`, which must outlive this. Falls back to one rank per node where memory cannot be shared.
  Link(const Comm &io, const LinkOptions &options);
  Link(const Link &) = delete;
  /// Collective. Assigns the roles; makes the rings.
  void man(Crew crew);
  /// Local. The end of this process is no error from now on.
  void leave() const;
  /// Collective; after a failure, local.
  void free();

  const Comm &comm() const { return comm_; }
  const Topology &topology() const { return topology_; }
  const Crew &crew() const { return crew_; }
  int rank() const { return comm_.rank(); }
  int node() const { return topology_.node_of[static_cast<size_t>(rank())]; }
  double limit_seconds() const { return options_.limit_seconds; }
  trace::Steps *steps() const { return options_.steps; }

  const LinkMemory &memory() const { return memory_; }
  Board &board() const { return memory_.board(); }

  /// All waits of this node, now and later, throw this; the first error stays.
  void fail(Status status, const std::string &text) const;
  bool has_failed() const { return board().failed.load(std::memory_order_acquire) != 0; }
  void check() const;
  /// Why it has failed, in words.
  std::string reason() const;
  /// The same, and where a server of this node has ended; looks now and then only.
  void poll_failure() const;
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
    trace::Doing as = trace::Doing::wait_answer;  // its kind in the trace
    bool for_messages = false;                    // which come without a bell, and go only while MPI is called
  };
  /// A client for servers: fails where one of this node has ended, or none makes progress for the time limit.
  void await_servers(const Waiting &waiting) const;
  /// A server for clients, for ever: false where a client of this node has ended, or the link has failed.
  bool await_clients(const Waiting &waiting) const;

 private:
  bool share();
  double patience_seconds() const;
  SleepBackoff naps_of(const Waiting &waiting) const;
  void sleep(EventCount &bell, uint32_t seen, SleepBackoff &naps) const;
  [[noreturn]] void end(const std::string &doing, const std::string &why) const;

  const Comm &comm_;
  const LinkOptions options_;
  Comm node_comm_;
  Topology topology_;
  Crew crew_;
  LinkMemory memory_;
  mutable Moment polled_, stirred_;
};

}  // namespace sv
