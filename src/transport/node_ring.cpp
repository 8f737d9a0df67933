#include "transport/node_ring.hpp"

#include <algorithm>

#include "transport/node.hpp"

namespace sv {

namespace {

SharedMemory ring_memory(const Node &node, int64_t bytes) {
  std::string why;
  SharedMemory memory = node.allocate(bytes, why);
  if (node.comm().all_true(static_cast<bool>(memory))) return memory;
  throw Error(Status::no_memory,
              "a node has no memory for " + std::to_string(bytes >> 20) + " MiB of data that are written later" +
                  (why.empty() ? "" : ": " + why),
              "Ask for less 'server_memory', or let the calls write: servers = 0");
}

}  // namespace

NodeRing::NodeRing(const Node &node, int64_t bytes)
    : node_(node),
      memory_(ring_memory(node, bytes)),
      bell_{},
      ring_{memory_.data(), memory_.size(), &freed_},
      places_(ring_.capacity),
      release_(ring_, bell_) {}

bool NodeRing::is_emptied_here() const { return node_.ranks().front() == node_.rank(); }

/// However long it takes, as long as something is written meanwhile.
void NodeRing::await(int64_t end) {
  const Moment since = moment_now();
  int64_t seen_freed = freed_.load(std::memory_order_acquire);
  for (Deadline deadline(node_.watchdog_seconds()); !ring_.has_room(end);) {
    const uint32_t strokes = bell_.strokes.load(std::memory_order_acquire);
    node_.check_poison();
    node_.waits();
    if (const int64_t now = freed_.load(std::memory_order_acquire); now != seen_freed) {
      seen_freed = now;
      deadline = Deadline(node_.watchdog_seconds());
    }
    if (deadline.passed())
      node_.give_up(Error(Status::timeout,
                          "the watchdog gave up: rank " + std::to_string(node_.rank()) +
                              "'s thread has written nothing for " +
                              std::to_string(static_cast<int>(node_.watchdog_seconds())) + " s",
                          "See whether the file system is stuck; 'watchdog' sets the limit"));
    bell_.sleepers.fetch_add(1, std::memory_order_acq_rel);
    if (!ring_.has_room(end)) sleep_until(bell_.strokes, strokes, strokes + 1, 20);
    bell_.sleepers.fetch_sub(1, std::memory_order_acq_rel);
  }
  waited_seconds_ += std::chrono::duration<double>(moment_now() - since).count();
}

RingRooms::RingRooms(NodeRing &ring, const Schedule &schedule, std::function<void()> relieve)
    : ring_(ring), relieve_(std::move(relieve)) {
  const bool empties = ring.is_emptied_here();
  for (int round = 0; round < schedule.rounds(); ++round) {
    int64_t bytes = 0;
    for (const int sink : schedule.sinks_of_node(ring.node_.index()))
      bytes = std::max(bytes, schedule.slice_begin(sink, round) + schedule.slice_bytes(sink, round));
    const int64_t begin = ring.places_.take(bytes), end = ring.places_.end();
    blocks_.push_back({begin, end, empties ? ring.release_.expect(end) : 0});
  }
}

void RingRooms::await(int round) {
  const int64_t end = blocks_[static_cast<size_t>(round)].end;
  if (ring_.ring_.has_room(end)) return;
  relieve_();
  ring_.await(end);
}

std::shared_ptr<void> RingRooms::hold(int round) const {
  if (!ring_.is_emptied_here()) return nullptr;
  RingRelease &release = ring_.release_;
  return {&ring_, [&release, number = blocks_[static_cast<size_t>(round)].number](void *) { release.done(number); }};
}

}  // namespace sv
