#include "transport/node_ring.hpp"

#include <algorithm>

#include "transport/message_layout.hpp"
#include "transport/node.hpp"
#include "transport/patience.hpp"

namespace sv {

namespace {

Error no_memory(int64_t bytes, const std::string &why) {
  return {Status::no_memory,
          "a node has no memory for " + std::to_string(bytes >> 20) + " MiB of data that are written later" +
              (why.empty() ? "" : ": " + why),
          "Ask for less 'async.memory', or let the calls write: async = none"};
}

constexpr int64_t line_bytes = 64;
constexpr int64_t marks_per_line = line_bytes / static_cast<int64_t>(sizeof(std::atomic<int64_t>));

/// Before the ring itself.
int64_t bytes_of_head(const Node &node) {
  const int64_t bytes = static_cast<int64_t>(sizeof(EventCount)) + node.size() * line_bytes;
  return (bytes + window_page_bytes - 1) / window_page_bytes * window_page_bytes;
}

std::atomic<int64_t> *freed_marks(const SharedMemory &memory) {
  return reinterpret_cast<std::atomic<int64_t> *>(memory.data() + sizeof(EventCount));
}

/// Whose rank makes the pages says that nothing is there before anybody looks; to the others, all is free.
SharedMemory ring_memory(const Node &node, int64_t bytes) {
  std::string why;
  const int64_t head = bytes_of_head(node);
  SharedMemory memory = node.reserve(head + bytes, head, why);
  if (memory && node.local_rank() == 0) freed_marks(memory)->store(-bytes, std::memory_order_release);
  const bool is_here = node.comm().all_true(static_cast<bool>(memory));
  memory.settle();
  if (is_here) return memory;
  throw no_memory(bytes, why);
}

}  // namespace

NodeRing::NodeRing(const Node &node, int64_t bytes)
    : node_(node),
      memory_(ring_memory(node, bytes)),
      bell_(*reinterpret_cast<EventCount *>(memory_.data())),
      freed_(freed_marks(memory_)),
      ring_{memory_.data() + bytes_of_head(node), bytes, freed_ + node.local_rank() * marks_per_line},
      places_(ring_.capacity),
      release_(ring_, bell_, node.local_rank() == 0 ? 0 : ring_.capacity),
      pages_(
          [this](int64_t begin, int64_t end, std::string &why) {
            const int64_t first = ring_.data - memory_.data();
            return memory_.make(first + begin, first + end, why);
          },
          ring_.capacity, release_) {}

void NodeRing::prepare() {
  if (node_.local_rank() == 0) pages_.begin();
  const Ring ring{ring_.data, ring_.capacity, freed_};  // as the rank frees it that makes its pages
  mapping_.begin({ring}, [this](const Ring &, int64_t begin, int64_t end) {
    const int64_t first = ring_.data - memory_.data();
    memory_.map_pages(first + begin, first + end);
  });
}

bool NodeRing::has_room(int64_t end) const {
  for (int rank = 0; rank < node_.size(); ++rank)
    if (end - freed_[rank * marks_per_line].load(std::memory_order_acquire) > ring_.capacity) return false;
  return true;
}

/// By all ranks together: grows while anybody frees anything.
int64_t NodeRing::freed_bytes() const {
  int64_t bytes = 0;
  for (int rank = 0; rank < node_.size(); ++rank)
    bytes += freed_[rank * marks_per_line].load(std::memory_order_acquire);
  return bytes;
}

/// However long it takes, as long as something is written meanwhile.
void NodeRing::await(int64_t end) {
  const Moment since = moment_now();
  int64_t seen_freed = freed_bytes();
  for (Patience patience(node_); !has_room(end);) {
    const uint32_t epoch = bell_.epoch.now();
    node_.check_poison();
    node_.waits();
    node_.comm().stir();
    if (const std::string why = pages_.failed(); !why.empty()) throw no_memory(ring_.capacity, why);
    if (const int64_t now = freed_bytes(); now != seen_freed) {
      seen_freed = now;
      patience = Patience(node_);
    }
    if (patience.passed())
      node_.give_up(Error(Status::timeout,
                          "the watchdog gave up: on the node of rank " + std::to_string(node_.rank()) +
                              ", threads have written nothing for " +
                              std::to_string(static_cast<int>(node_.watchdog_seconds())) + " s",
                          "See whether the file system is stuck; 'watchdog' sets the limit"));
    if (!has_room(end)) sleep_until(bell_.epoch, epoch, epoch + 1, std::chrono::milliseconds(20));
  }
  waited_seconds_ += std::chrono::duration<double>(moment_now() - since).count();
}

RingSliceMemory::RingSliceMemory(NodeRing &ring, const Schedule &schedule, std::function<void()> flush_if_idle)
    : ring_(ring), flush_if_idle_(std::move(flush_if_idle)), in_parts_(schedule.is_scattered()) {
  const std::vector<int> sinks = schedule.sinks_of_node(ring.node_.index());
  for (const int sink : sinks) {
    in_parts_ = in_parts_ && stands_in_parts(schedule, sink);
    has_sinks_ = has_sinks_ || schedule.rank_of(sink) == ring.node_.rank();
  }
  for (int round = 0; round < schedule.rounds(); ++round) {
    int64_t bytes = 0;
    for (const int sink : sinks)
      bytes = std::max(bytes, schedule.slice_begin(sink, round) + schedule.slice_bytes(sink, round));
    const int64_t begin = ring.places_.take(bytes), end = ring.places_.end();
    blocks_.push_back({begin, end, ring.release_.expect(end)});
    if (!has_sinks_) ring.release_.done(blocks_.back().number);
  }
}

void RingSliceMemory::await(int round) {
  const int64_t end = blocks_[static_cast<size_t>(round)].end;
  if (ring_.has_room(end)) return;
  flush_if_idle_();
  ring_.await(end);
}

std::shared_ptr<void> RingSliceMemory::hold(int round) const {
  if (!has_sinks_) return nullptr;
  RingRelease &release = ring_.release_;
  return {&ring_, [&release, number = blocks_[static_cast<size_t>(round)].number](void *) { release.done(number); }};
}

}  // namespace sv
