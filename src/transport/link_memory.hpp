// The memory that models and servers of a node share: the board with the state and progress of all, and the rings
// through which data pass. The link makes it; code that moves data gets it from there.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/serving.hpp"
#include "transport/event_count.hpp"
#include "transport/node.hpp"
#include "transport/ring.hpp"
#include "transport/shared_memory.hpp"

namespace sv {

/// A node's data of one round for one server: entries in order, of which `data` lies in the outgoing ring.
struct Parcel {
  int32_t server;
  int64_t round, position, bytes, end;  // end: the end of the ring's part that may be freed when it was sent
};
constexpr int64_t most_parcels = 8192;  // pending on a node, of a component

/// At the beginning of the memory; zeroed when it is made.
struct alignas(64) Board {
  EventCount for_servers, for_clients;
  std::atomic<uint32_t> failed;  // 0; 1 while the reason is being written; 2 then
  int32_t reason_status;
  Words<text_bytes> reason;
  std::atomic<uint64_t> progress;      // of servers that are inside a call of their own
  std::atomic<int32_t> communicating;  // clients of this node that are inside their own communication
};

/// The ranks that share it, and its division.
struct LinkShape {
  std::vector<int> ranks{}, servers{};  // of the node, ascending
  int components = 0;
  bool sends = false;      // there are other nodes
  int64_t ring_bytes = 0;  // the same for all rings of all nodes

  /// As rings_of_node counts them.
  int rings() const { return rings_of_node(static_cast<int>(servers.size()), components, sends); }
};

class LinkMemory {
 public:
  LinkMemory() = default;
  /// Collective over the ranks of a node, which then wait for each other; nullptr: of this rank alone. Empty where
  /// there is no memory. Rings of servers have their place, but no pages yet: all of them counts as not free, until
  /// their servers make them.
  LinkMemory(LinkShape shape, const Comm *node);

  explicit operator bool() const { return static_cast<bool>(memory_); }
  void release() { memory_.release(); }
  void keep_for_good() { memory_.keep_for_good(); }
  const LinkShape &shape() const { return shape_; }
  Board &board() const { return *reinterpret_cast<Board *>(memory_.data()); }
  /// The process of a rank of the node; 0 if its end is no error.
  int32_t &process(int rank) const { return processes_[local_of(rank)]; }

  Ring ring(int server, int component) const;  // of a server of this node
  Ring outgoing(int component) const;          // for servers on other nodes
  /// Local. Makes the pages of a part of a ring, or says why there is no memory for them; and maps pages that are
  /// there.
  bool make(const Ring &ring, int64_t begin, int64_t end, std::string &why) const;
  void map(const Ring &ring, int64_t begin, int64_t end) const;
  /// How many rounds a client of this node has placed.
  std::atomic<int64_t> &placed(int client) const { return mark(local_of(client)); }
  /// Whether these clients of this node have all placed (or taken) so many rounds.
  bool have_placed(const std::vector<int> &clients, int64_t rounds) const;
  /// Parcels of a component on this node: how many there were, how many are gone, and the one of a number.
  std::atomic<int64_t> &parcels(int component) const { return component_mark(2 * component); }
  std::atomic<int64_t> &parcels_gone(int component) const { return component_mark(2 * component + 1); }
  Parcel &parcel(int component, int64_t number) const;
  /// Of reading: the last round that a server of this node has filled, and that has come from other nodes.
  std::atomic<int64_t> &filled(int server, int component) const;
  std::atomic<int64_t> &fetched(int component) const { return component_mark(2 * shape_.components + component); }

 private:
  int local_of(int rank) const;
  int ring_number(int server, int component) const;
  Ring ring_numbered(int number) const;
  std::atomic<int64_t> &mark(int number) const;
  std::atomic<int64_t> &component_mark(int number) const;

  LinkShape shape_;
  SharedMemory memory_;
  std::byte *parcels_ = nullptr, *rings_ = nullptr;
  int32_t *processes_ = nullptr;
};

}  // namespace sv
