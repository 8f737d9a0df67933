#include "transport/link_memory.hpp"

#include <algorithm>

namespace sv {

namespace {

/// A number on a cache line of its own.
struct alignas(64) Mark {
  std::atomic<int64_t> value;
};

template <class T>
int64_t pages_for(int64_t count) {
  const int64_t bytes = count * static_cast<int64_t>(sizeof(T));
  return (bytes + ring_page_bytes - 1) / ring_page_bytes * ring_page_bytes;
}

}  // namespace

/// The board, marks (of every rank, two of every ring, three of every component), process numbers, parcels, rings.
LinkMemory::LinkMemory(LinkShape shape, const Comm *node) : shape_(std::move(shape)) {
  const int64_t ranks = std::ssize(shape_.ranks), rings = shape_.rings(), components = shape_.components;
  const int64_t head = pages_for<Board>(1) + pages_for<Mark>(ranks + 2 * rings + 3 * components);
  const int64_t lists = pages_for<Parcel>(components * most_parcels), processes = pages_for<int32_t>(ranks);
  const int64_t bytes = head + processes + lists + rings * shape_.ring_bytes;
  std::string why;
  const int64_t before_rings = head + processes + lists;
  memory_ =
      node == nullptr ? SharedMemory::private_memory(bytes) : SharedMemory::reserve(*node, bytes, before_rings, why);
  if (!memory_) return;
  processes_ = reinterpret_cast<int32_t *>(memory_.data() + head);
  parcels_ = memory_.data() + head + processes;
  rings_ = parcels_ + lists;
  const bool makes = node == nullptr || node->rank() == 0;
  const int64_t of_servers = before_rings + std::ssize(shape_.servers) * components * shape_.ring_bytes;
  if (makes && of_servers < bytes && !memory_.make(of_servers, bytes, why)) {
    memory_.release();
    return;
  }
  for (size_t n = 0; makes && n < shape_.servers.size() * static_cast<size_t>(components); ++n)
    ring_numbered(static_cast<int>(n)).freed->store(-shape_.ring_bytes, std::memory_order_release);
}

bool LinkMemory::make(const Ring &ring, int64_t begin, int64_t end, std::string &why) const {
  const int64_t first = ring.data - memory_.data();
  return memory_.make(first + begin, first + end, why);
}

void LinkMemory::map(const Ring &ring, int64_t begin, int64_t end) const {
  const int64_t first = ring.data - memory_.data();
  memory_.map_pages(first + begin, first + end);
}

int LinkMemory::local_of(int rank) const {
  return static_cast<int>(std::lower_bound(shape_.ranks.begin(), shape_.ranks.end(), rank) - shape_.ranks.begin());
}

std::atomic<int64_t> &LinkMemory::mark(int number) const {
  return reinterpret_cast<Mark *>(memory_.data() + pages_for<Board>(1))[number].value;
}

int LinkMemory::ring_number(int server, int component) const {
  const auto at = std::lower_bound(shape_.servers.begin(), shape_.servers.end(), server) - shape_.servers.begin();
  return static_cast<int>(at) * shape_.components + component;
}

Ring LinkMemory::ring_numbered(int number) const {
  return {rings_ + number * shape_.ring_bytes, shape_.ring_bytes,
          &mark(static_cast<int>(shape_.ranks.size()) + number)};
}

Ring LinkMemory::ring(int server, int component) const { return ring_numbered(ring_number(server, component)); }

/// Behind those of the servers.
Ring LinkMemory::outgoing(int component) const {
  return ring_numbered(static_cast<int>(shape_.servers.size()) * shape_.components + component);
}

/// Behind those of the rings.
std::atomic<int64_t> &LinkMemory::component_mark(int number) const {
  return mark(static_cast<int>(shape_.ranks.size()) + shape_.rings() + number);
}

std::atomic<int64_t> &LinkMemory::filled(int server, int component) const {
  return component_mark(3 * shape_.components + ring_number(server, component));
}

Parcel &LinkMemory::parcel(int component, int64_t number) const {
  return reinterpret_cast<Parcel *>(parcels_)[component * most_parcels + number % most_parcels];
}

bool LinkMemory::have_placed(const std::vector<int> &clients, int64_t rounds) const {
  return std::all_of(clients.begin(), clients.end(),
                     [&](int client) { return placed(client).load(std::memory_order_acquire) >= rounds; });
}

}  // namespace sv
