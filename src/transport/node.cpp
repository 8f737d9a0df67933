#include "transport/node.hpp"

#include <algorithm>
#include <cstring>

#include "transport/all_enclosed.hpp"

namespace sv {

namespace {

int64_t pages(int64_t bytes) { return (bytes + window_page_bytes - 1) / window_page_bytes * window_page_bytes; }
/// Of a node with so many of `all` ranks.
int64_t control_bytes(int ranks, int all) {
  const int64_t enclosed = ranks < all ? 2 * AllEnclosed::bytes(all) : 0;
  return pages(static_cast<int64_t>(sizeof(Control) + sizeof(Slot) * ranks) + enclosed);
}

/// Whether there is a core for each of `ranks`: those that share the cores of this node.
bool are_enough_cores(const Node &node, int ranks) {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int r = 0; r < node.size(); ++r) CPU_OR(&all, &all, &node.slot(r).cores);
  return CPU_COUNT(&all) >= ranks;
}

}  // namespace

Node::Node(const Comm &comm, const NodeOptions &options) : comm_(comm), watchdog_seconds_(options.watchdog_seconds) {
  why_not_ = "transport: send";
  if (options.share_memory) share(options);
  if (shares_memory_) {
    progress_.counts[0] = &control().progress;
    return;
  }
  comm_.broadcast(why_not_, 0);
  if (options.must_share_memory)
    throw Error(Status::no_memory, "memory cannot be shared: " + why_not_, "Use transport: auto");
  fall_back(options);
  progress_.counts[0] = &control().progress;
}

/// Memory that no other process maps needs no file, and no page before it is touched: contexts of one rank are made in
/// numbers.
void Node::share(const NodeOptions &options) {
  const bool alone = comm_.size() == 1;
  if (!alone && (options.ranks_per_node > 0 || !options.on_one_host)) {
    node_comm_ = comm_.split_shared(options.ranks_per_node);
    neighbours_ = &node_comm_;
  }
  const int64_t head = control_bytes(neighbours_->size(), comm_.size()), all = head + pages(options.window_bytes);
  std::string why = alone ? "there is none" : "";
  memory_ = alone ? SharedMemory::private_memory(all) : SharedMemory::begin(*neighbours_, all, head, why);
  if (memory_) sched_getaffinity(0, sizeof(cpu_set_t), &slot(neighbours_->rank()).cores);  // none, where it fails
  int leader = neighbours_ == &comm_ ? 0 : comm_.rank();
  if (neighbours_ != &comm_) node_comm_.broadcast(&leader, sizeof leader, 0);
  // Of each rank: its leader, or that it shares no memory.
  const int label = memory_ ? leader : -1;
  const std::vector<int> labels = comm_.all_gather<int>(std::span<const int>(&label, 1));
  memory_.settle();
  shares_memory_ = *std::min_element(labels.begin(), labels.end()) >= 0;
  if (!shares_memory_) {
    why_not_ = why.empty() ? "another node has no shared memory" : why;
    memory_.release();
    node_comm_.free();
    return;
  }
  why_not_.clear();
  topology_ = Topology::from_labels(labels);
  local_rank_ = neighbours_->rank();
  window_ = memory_.data() + head;
  half_bytes_ = pages(options.window_bytes) / window_halves / window_page_bytes * window_page_bytes;
  // Pretended nodes stand on one host.
  has_own_core_ = are_enough_cores(*this, options.ranks_per_node > 0 ? comm_.size() : size());
}

void Node::fall_back(const NodeOptions &options) {
  Comm neighbours = comm_.split_shared();
  constexpr int64_t least = window_page_bytes * window_halves * window_stages * window_areas;
  const int64_t mine = std::max(pages(options.window_bytes / neighbours.size()), least);
  neighbours.free();
  topology_ = Topology::uniform(comm_.size(), 1);
  const int64_t head = control_bytes(1, comm_.size());
  memory_ = SharedMemory::private_memory(head + mine);
  if (!comm_.all_true(static_cast<bool>(memory_)))
    throw Error(Status::no_memory, "no memory for the windows of " + std::to_string(mine >> 20) + " MiB of the ranks",
                "Make 'transport.window' smaller");
  window_ = memory_.data() + head;
  half_bytes_ = mine / window_halves / window_page_bytes * window_page_bytes;
  // Round sizes must agree, and the neighbours of a rank need not be as many everywhere.
  std::vector<int64_t> halves = comm_.all_gather<int64_t>(std::span<const int64_t>(&half_bytes_, 1));
  half_bytes_ = *std::min_element(halves.begin(), halves.end());
}

Node::~Node() {
  if (memory_ && is_poisoned()) memory_.keep_for_good();
}

void Node::free() {
  memory_.release();
  node_comm_.free();
}

SharedMemory Node::reserve(int64_t bytes, int64_t made_bytes, std::string &why) const {
  if (shares_memory_) return SharedMemory::begin(*neighbours_, bytes, made_bytes, why);
  why = "no memory";
  return SharedMemory::private_memory(bytes);
}

Slot &Node::slot(int local_rank) const {
  return reinterpret_cast<Slot *>(memory_.data() + sizeof(Control))[local_rank];
}

void Node::check_poison() const {
  if (control().poisoned.load(std::memory_order_acquire) == 2)
    throw Error::from_remote(static_cast<Status>(control().reason_status), control().reason.text());
}

void Node::poison(Status status, const std::string &text) const {
  Control &shared = control();
  uint32_t healthy = 0;
  if (!shared.poisoned.compare_exchange_strong(healthy, 1, std::memory_order_acq_rel))
    return;  // the first one's stands
  shared.reason_status = static_cast<int32_t>(status);
  shared.reason = text;
  shared.poisoned.store(2, std::memory_order_release);
  for (auto &stage : shared.halves)
    for (HalfState &half : stage) {
      wake_all(half.arrived);
      wake_all(half.freed);
    }
  wake_all(shared.entered);
  wake_all(shared.released);
}

void Node::give_up(const Error &error) const {
  poison(error.status(), error.what());
  check_poison();
  throw Error::from_remote(error.status(), error.what());
}

bool Node::has_reached(const Counter &counter, uint32_t target) const {
  if (reached(counter.now(), target)) return true;
  check_poison();
  return false;
}

bool Node::wait(Counter &counter, uint32_t target, const Deadline &deadline) const {
  SleepBackoff naps(std::chrono::milliseconds(1), std::chrono::milliseconds(while_waiting_ ? 1 : 100));
  for (bool slept = false;; slept = true) {
    const uint32_t seen = counter.now();
    if (reached(seen, target)) {
      if (slept) wake(counter, target, 2);  // as advance() says
      return true;
    }
    check_poison();
    if (deadline.passed()) return false;
    if (!slept && look_for_a_moment(counter, target, has_own_core_)) return true;
    waits();
    // The counter may wait for a message that MPI keeps in this process. Not if it has come: MPI yields the core when
    // it has nothing to do.
    if (slept) comm_.stir();
    sleep_until(counter, seen, target, naps.take());
  }
}

}  // namespace sv
