// The ring of a node in which what its ranks have placed stays until one of them, the lowest, has written it: after the
// call that brought it. A context that writes behind has one.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "assemble/schedule.hpp"
#include "transport/ring_release.hpp"
#include "transport/rooms.hpp"
#include "transport/shared_memory.hpp"

namespace sv {

class Node;

class NodeRing {
 public:
  /// Collective over the communicator of `node`, which outlives it. Throws Error(no_memory) on every rank.
  NodeRing(const Node &node, int64_t bytes);
  NodeRing(const NodeRing &) = delete;

  /// Whether this rank writes what stands in it.
  bool is_emptied_here() const;
  /// The bytes of the largest block that is sure to find room when all before it are freed, with the next one.
  int64_t most_block_bytes() const { return ring_.capacity / 4; }
  /// How long this rank has waited for room.
  double waited_seconds() const { return waited_seconds_; }

 private:
  friend class RingRooms;
  void await(int64_t end);

  const Node &node_;
  SharedMemory memory_;
  std::atomic<int64_t> freed_{0};  // of this process, which alone frees what it has written
  Bell bell_;
  Ring ring_;
  RingPlaces places_;
  RingRelease release_;
  double waited_seconds_ = 0;
};

/// The blocks of the rounds of one schedule: all ranks of the node make it at once, and agree about their places
/// without telling each other.
class RingRooms final : public Rooms {
 public:
  /// Both outlive it. `relieve`: called before it waits for room: what is kept back is to be written.
  RingRooms(NodeRing &ring, const Schedule &schedule, std::function<void()> relieve);

  std::byte *begin(int round) const override { return ring_.ring_.at(blocks_[static_cast<size_t>(round)].begin); }
  void await(int round) override;
  /// On the rank that empties the ring: the memory of a round stays until the last copy of this goes, in any thread.
  std::shared_ptr<void> hold(int round) const;

 private:
  struct Block {
    int64_t begin, end, number;
  };
  NodeRing &ring_;
  const std::function<void()> relieve_;
  std::vector<Block> blocks_;
};

}  // namespace sv
