// The ring of a node in which what its ranks have placed stays until it was written, after the call that brought it: by
// those of them to whom it was brought. A context that writes behind has one.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "packing/schedule.hpp"
#include "transport/ring_mapping.hpp"
#include "transport/ring_pages.hpp"
#include "transport/ring_release.hpp"
#include "transport/shared_memory.hpp"
#include "transport/slice_memory.hpp"

namespace sv {

class Node;

class NodeRing {
 public:
  /// Collective over the communicator of `node`, which outlives it. Throws Error(no_memory) on every rank. The ring has
  /// its place, but no pages yet.
  NodeRing(const Node &node, int64_t bytes);
  NodeRing(const NodeRing &) = delete;
  /// Local. Something will soon be placed in it: the rank that empties it begins to make pages. Called again, nothing
  /// happens.
  void prepare();

  /// The bytes of the largest block that is sure to find room when all before it are freed, with the next one.
  int64_t most_block_bytes() const { return ring_.capacity / 4; }
  /// How long this rank has waited for room.
  double waited_seconds() const { return waited_seconds_; }

 private:
  friend class RingSliceMemory;
  bool has_room(int64_t end) const;
  int64_t freed_bytes() const;
  void await(int64_t end);

  const Node &node_;
  SharedMemory memory_;  // a bell, how far each rank has freed the ring, the ring
  EventCount &bell_;
  std::atomic<int64_t> *const freed_;  // by rank of the node, each on a line of its own
  Ring ring_;                          // as this rank frees it
  RingPlaces places_;
  RingRelease release_;
  RingPages pages_;      // the lowest rank makes them
  RingMapping mapping_;  // every rank maps them
  double waited_seconds_ = 0;
};

/// The blocks of the rounds of one schedule: all ranks of the node make it at once, and compute the same positions
/// without communication. If every rank would touch all pages of a large block, with short pieces on each, their data
/// stand part by part, and the reader of the ring orders them.
class RingSliceMemory final : public SliceMemory {
 public:
  /// Both outlive it. `relieve`: called before it waits for room, to write delayed runs.
  RingSliceMemory(NodeRing &ring, const Schedule &schedule, std::function<void()> flush_if_idle);

  std::byte *begin(int round) const override { return ring_.ring_.at(blocks_[static_cast<size_t>(round)].begin); }
  bool in_parts() const override { return in_parts_; }
  void await(int round) override;
  /// On ranks that own sinks: the memory of a round stays until the last copy of this goes, in any thread. Once for
  /// each round. Elsewhere nullptr.
  std::shared_ptr<void> hold(int round) const;

 private:
  struct Block {
    int64_t begin, end, number;
  };
  NodeRing &ring_;
  const std::function<void()> flush_if_idle_;
  bool in_parts_, has_sinks_ = false;
  std::vector<Block> blocks_;
};

}  // namespace sv
