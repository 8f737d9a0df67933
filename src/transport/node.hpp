// A node: the ranks that share memory with this one, the window they share, and the words for which they wait.
#pragma once

#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "mpi/comm.hpp"
#include "plan/topology.hpp"
#include "transport/agreed.hpp"
#include "transport/fixed_text.hpp"
#include "transport/shared_memory.hpp"
#include "transport/wait.hpp"

namespace sv {

constexpr int text_bytes = 2048, call_bytes = 256;

/// The contribution of a rank, a node, or a tree of nodes to an agreement, and the result.
struct Ballot {
  uint64_t signature = 0;                      // of the call; must be equal on all ranks
  int32_t status = 0;                          // Status of the first error, by rank
  int32_t rank = 0;                            // the rank of the error; without an error, the rank of the signature
  int32_t doer = -1;                           // the rank of its Deed; -1: there is none
  int32_t done = 0;                            // 1: the deed was begun, and `status` is what became of it
  Agreed value{};                              // the maxima over ranks are agreed
  int64_t about = 0;                           // of the error: its subject, in the callers' numbers
  int32_t enclosed_bytes = 0, sent_bytes = 0;  // Parcels that follow it in a message
  Words<call_bytes> call;
  Words<text_bytes> text;
};

constexpr int enclosure_bytes = 512;

/// A rank's data for the others of its node in a gate; the readers know its form.
struct GatePayload {
  int32_t bytes;
  std::array<std::byte, enclosure_bytes> data;
};

/// A rank's place in the control block; written by that rank alone.
struct alignas(64) Slot {
  std::atomic<uint32_t> entered;  // gates this rank has entered
  cpu_set_t cores;                // on which it may run
  Ballot ballot;
  GatePayload enclosures[2];  // of the present gate, and of the one before, which others may still read
};

/// The state of one half of the window. Counters only grow.
struct alignas(64) HalfState {
  Counter arrived;  // ranks that have placed their part, summed over rounds
  Counter freed;    // sinks whose part was taken out, summed over rounds
};

constexpr int64_t window_page_bytes = 4096;  // parts of the window begin on a page
constexpr int window_halves = 2, window_stages = 2;
constexpr int window_areas = 3;  // of a stage, between nodes: slices, sent data, received data

/// At the beginning of the node's shared memory; zeroed when it is made.
struct alignas(64) Control {
  Counter entered;                 // ranks in the current gate, summed over gates
  Counter collected;               // gates in which all ranks of one node have come, and their ballots are merged
  Counter released;                // gates that have opened
  std::atomic<uint32_t> poisoned;  // 0; 1 while the reason is being written; 2 then: no call can work any more
  int32_t reason_status;
  Words<text_bytes> reason;
  std::atomic<uint64_t> progress;  // of ranks that are inside a call
  Ballot verdict;
  HalfState halves[window_stages][window_halves];
  // Slot slots[ranks] follow; and, where there are other nodes, AllEnclosed twice
};

/// Settings of a node that come from the configuration.
struct NodeOptions {
  int64_t window_bytes;
  int ranks_per_node;      // pretended nodes; 0: as MPI reports
  bool share_memory;       // false: messages only
  bool must_share_memory;  // an error where it cannot be shared
  double watchdog_seconds;
  bool on_one_host = false;  // all ranks have found that they are; otherwise MPI reports the ranks of a node
};

class Node {
 public:
  /// Collective over `comm`, which must outlive this. Falls back to one rank per node where memory cannot be shared.
  /// The window has its place, but no pages yet.
  Node(const Comm &comm, const NodeOptions &options);
  Node(const Node &) = delete;
  /// Gives the memory back; not that of a poisoned node, into which MPI may still be moving messages.
  ~Node();
  /// Collective.
  void free();

  const Comm &comm() const { return comm_; }
  const Topology &topology() const { return topology_; }
  int rank() const { return comm_.rank(); }                // in the whole communicator
  int index() const { return topology_.node_of[rank()]; }  // of this node
  int local_rank() const { return local_rank_; }
  const std::vector<int> &ranks() const { return topology_.ranks_of[index()]; }
  int size() const { return static_cast<int>(ranks().size()); }
  bool shares_memory() const { return shares_memory_; }
  const std::string &why_not() const { return why_not_; }

  Control &control() const { return *reinterpret_cast<Control *>(memory_.data()); }
  Slot &slot(int local_rank) const;
  std::byte *half(int h) const { return window_ + h * half_bytes_; }
  int64_t half_bytes() const { return half_bytes_; }
  /// The memory of the window: its lowest rank makes the pages before any of them is touched.
  const SharedMemory &memory() const { return memory_; }
  double watchdog_seconds() const { return watchdog_seconds_; }
  /// Grows while ranks of this node progress inside long calls. They count themselves; its second place is for other
  /// counters, of ranks that share memory with this node.
  Progress &progress() const { return progress_; }

  /// Collective over the ranks of this node, which all give the same `bytes`: memory that they share, or (without
  /// shared memory) this rank's own. Empty if there is none, with the reason in `why`. As SharedMemory::begin says, it
  /// must be settled when all have met.
  SharedMemory reserve(int64_t bytes, int64_t made_bytes, std::string &why) const;

  /// Whether the counter has reached `target`; throws when it has not, and the node is poisoned.
  bool has_reached(const Counter &counter, uint32_t target) const;
  /// Sleeps until then. False when the deadline passed.
  bool wait(Counter &counter, uint32_t target, const Deadline &deadline) const;
  /// Local. Called again and again while this rank waits here or in a gate.
  void while_waiting(std::function<void()> action) { while_waiting_ = std::move(action); }
  void waits() const {
    if (while_waiting_) while_waiting_();
  }
  /// This rank leaves a call in the middle: all waits of this node, now and later, throw the first such error.
  void poison(Status status, const std::string &text) const;
  /// Poisons, and throws.
  [[noreturn]] void give_up(const Error &error) const;
  bool is_poisoned() const { return control().poisoned.load(std::memory_order_acquire) != 0; }
  /// Throws when the node is poisoned.
  void check_poison() const;

 private:
  void share(const NodeOptions &options);
  void fall_back(const NodeOptions &options);

  const Comm &comm_;
  Comm node_comm_;                   // where not all ranks are known to be of one node
  const Comm *neighbours_ = &comm_;  // of this node
  Topology topology_;
  SharedMemory memory_;
  std::byte *window_ = nullptr;
  int64_t half_bytes_ = 0;
  int local_rank_ = 0;
  bool shares_memory_ = false;
  bool has_own_core_ = false;  // as each rank of the node
  std::string why_not_;
  double watchdog_seconds_;
  mutable Progress progress_;
  std::function<void()> while_waiting_;
};

}  // namespace sv
